import { describe, expect, it } from 'vitest';
import { setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { installFakeClock } from '@/testing/clock';
import { readIdPrefix } from './ids.rules';

describe('an id prefix', () => {
  it.each(['', 'res', 'res_', 'grace', 'res_01jd!', 'rule_01jd8z', 'res_il0u', `res_${'0'.repeat(27)}`])(
    'is not recognised in %j',
    (text) => {
      expect(readIdPrefix(text)).toBeNull();
    },
  );

  it.each([1, 3, 8, 10, 14, 26])('of %i digits covers the time at which the id was created', (digits) => {
    const time = installFakeClock('2026-05-02T22:30:00Z');
    const id = newId('event');
    const found = readIdPrefix(` ${id.slice(0, 4 + digits).toUpperCase()} `);
    expect(found).toMatchObject({ kind: 'event', prefix: id.slice(0, 4 + digits), whole: digits === 26 });
    expect(found && found.from <= time.now() && time.now() <= found.to).toBe(true);
    setClock(null);
  });

  it('of a whole id covers a few minutes', () => {
    const found = readIdPrefix('whe_01jd8z6q0v7m3k5n9r2t4w6y8a');
    expect(found?.kind).toBe('webhook_endpoint');
    expect(Number(found?.to) - Number(found?.from)).toBe(240_000);
  });
});
