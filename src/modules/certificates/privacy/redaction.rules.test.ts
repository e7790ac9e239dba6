import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED_NAME, redactText, redactValue, tracesOf } from './redaction.rules';

const res_1 = { reservation_id: 'res_1', traces: [], hashes: new Map() };

describe('redactValue', () => {
  it('replaces personal fields at any depth and keeps ids, hashes and times', () => {
    const before = {
      id: 'evt_1',
      data: {
        object: { id: 'res_1', guest_name: 'Ada', guest_email: 'ada@example.com', signed_at: '2026-01-01', hash: 'ab' },
      },
      list: [{ signer_name: 'Ada', ip: '192.0.2.1' }],
    };
    expect(redactValue(before, res_1)).toEqual({
      id: 'evt_1',
      data: {
        object: {
          id: 'res_1',
          guest_name: REDACTED_NAME,
          guest_email: 'unknown+res_1@guest.invalid',
          signed_at: '2026-01-01',
          hash: 'ab',
        },
      },
      list: [{ signer_name: null, ip: null }],
    });
  });

  it('leaves no personal text anywhere, and redacting again changes nothing', () => {
    const secret = 'ada@secret.example';
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const once = redactValue({ guest_email: secret, nested: [{ user_agent: secret, value }] }, res_1);
        expect(JSON.stringify(once)).not.toContain(secret);
        expect(redactValue(once, res_1)).toEqual(once);
      }),
    );
  });

  it('drops text that is not JSON', () => {
    expect(redactText('Ada wrote this', res_1)).toBe('');
  });

  it('finds the guest in free text, and keeps the reasons that are words of the product', () => {
    const redaction = { ...res_1, traces: tracesOf(['Ada Lovelace', 'ADA@example.com', 'Guest', null]) };
    expect(redaction.traces).toEqual(['ada lovelace', 'ada@example.com']);
    const before = {
      note: 'called ada lovelace',
      reason: 'Ada was early',
      by: 'Olga',
      items: ['to ada@EXAMPLE.com', 'x'],
    };
    expect(redactValue(before, redaction)).toEqual({
      note: '[redacted]',
      reason: null,
      by: 'Olga',
      items: ['[redacted]', 'x'],
    });
    expect(redactValue({ reason: 'feed_removed' }, redaction)).toEqual({ reason: 'feed_removed' });
  });
});
