import { expect, it } from 'vitest';
import { createRefusal } from '@/shared/refusals/refusal';
import { translateMessages } from './translate-messages';

const result = () => ({
  problem: null,
  rows: [
    {
      id: 'res_1',
      message: createRefusal('gone_already'),
      shown: { guest_name: 'The reservation was already deleted.' },
    },
  ],
  lines: [{ line: 2, repeated: createRefusal('same_as_line', { line: 1 }) }],
});

it('replaces refusals with messages in the caller’s language, and changes nothing else', () => {
  expect(translateMessages(result(), { translate: (refusal) => `¡${refusal}` })).toEqual({
    problem: null,
    rows: [
      {
        id: 'res_1',
        message: '¡The reservation was already deleted.',
        shown: { guest_name: 'The reservation was already deleted.' },
      },
    ],
    lines: [{ line: 2, repeated: '¡This is the same booking as in line 1.' }],
  });
});

it('uses English messages when no language is set', () => {
  expect(translateMessages(result(), {}).rows[0]?.message).toBe('The reservation was already deleted.');
});
