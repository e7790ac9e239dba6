import { describe, expect, it } from 'vitest';
import { editListItem, insertListItemsAfter, reinsertListItem, splitPastedHouseRules } from './rows';

describe('pasted text', () => {
  it.each([
    ['No smoking.', null],
    ['No smoking.\n', null],
    ['No smoking.\r\n\r\n- Quiet after ten.\n', ['No smoking.', 'Quiet after ten.']],
    ['1. One\n2) Two\n • Three\n– Four', ['One', 'Two', 'Three', 'Four']],
    ['10 guests at most\n-5 degrees outside', ['10 guests at most', '-5 degrees outside']],
    ['a\nb\nc\nd', ['a', 'b', 'c']],
    [`${'x'.repeat(30)}\ny`, ['x'.repeat(20), 'y']],
  ])('%j is read as %j', (text, lines) => {
    expect(splitPastedHouseRules(text, 3 + Number(text.startsWith('1.')), 20)).toEqual(lines);
  });
});

describe('rows', () => {
  const [one, two, three] = [{ id: '1' }, { id: '2' }, { id: '3' }];

  it('are inserted after the one they follow', () => {
    expect(insertListItemsAfter([one, two], '1', [three])).toEqual([one, three, two]);
    expect(insertListItemsAfter([one], 'gone', [three])).toEqual([one, three]);
  });

  it('are restored to their position, once, without losing later changes', () => {
    expect(reinsertListItem([{ id: '3', text: 'later' } as never, three], two, 1)).toEqual([
      { id: '3', text: 'later' },
      two,
      three,
    ]);
    expect(reinsertListItem([one], two, 7)).toEqual([one, two]);
    expect(reinsertListItem([one, two], two, 0)).toEqual([one, two]);
  });

  it('stay identical objects when another row changes', () => {
    const [first, second] = editListItem([one, { id: '2', text: '' }], '2', { text: 'new' } as never);
    expect(first).toBe(one);
    expect(second).toEqual({ id: '2', text: 'new' });
  });
});
