import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createGuestMentionMatcher,
  createHashSalterWithSealedFileAsSalt,
  findGuestNamesInPayload,
  getGuestIdentifyingTexts,
  REDACTED_GUEST_NAME,
  redactGuestDataInJsonText,
  redactGuestDataInValue,
} from './redaction.rules';

const res_1 = { reservation_id: 'res_1', traces: [], hashes: new Map() };

describe('redactGuestDataInValue', () => {
  it('replaces personal fields at any depth and keeps ids, hashes and times', () => {
    const before = {
      id: 'evt_1',
      data: {
        object: { id: 'res_1', guest_name: 'Ada', guest_email: 'ada@example.com', signed_at: '2026-01-01', hash: 'ab' },
      },
      list: [{ signer_name: 'Ada', ip: '192.0.2.1' }],
    };
    expect(redactGuestDataInValue(before, res_1)).toEqual({
      id: 'evt_1',
      data: {
        object: {
          id: 'res_1',
          guest_name: REDACTED_GUEST_NAME,
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
        const once = redactGuestDataInValue({ guest_email: secret, nested: [{ user_agent: secret, value }] }, res_1);
        expect(JSON.stringify(once)).not.toContain(secret);
        expect(redactGuestDataInValue(once, res_1)).toEqual(once);
      }),
    );
  });

  it('leaves other values and missing values unchanged', () => {
    const value = { amount_cents: 2500, paid: true, guest_name: null, guest_email: null, to: { endpoint: 'whe_1' } };
    expect(redactGuestDataInValue(value, res_1)).toEqual(value);
  });

  it('treats a guest’s words as the product’s own only in the field `reason`', () => {
    expect(redactGuestDataInValue({ guest_message: 'host', reason: 'host' }, res_1)).toEqual({
      guest_message: null,
      reason: 'host',
    });
  });

  it('replaces the hashes over redacted content, at any depth', () => {
    const hashes = new Map([['aa11', 'bb22']]);
    expect(redactGuestDataInValue({ content_hash: 'aa11', list: ['aa11', 'cc33'] }, { ...res_1, hashes })).toEqual({
      content_hash: 'bb22',
      list: ['bb22', 'cc33'],
    });
  });

  it('drops text that is not JSON', () => {
    expect(redactGuestDataInJsonText('Ada wrote this', res_1)).toBe('');
  });

  it('finds the guest in free text, and keeps the product’s own reasons', () => {
    const redaction = {
      ...res_1,
      traces: getGuestIdentifyingTexts(['Ada Lovelace', 'ADA@example.com', 'Guest', null]),
    };
    expect(redaction.traces).toEqual(['Ada Lovelace', 'ADA@example.com']);
    expect(getGuestIdentifyingTexts([' Guest ', 'A B', 'a@b.c', ' ADA@example.com', 'ada@example.com'])).toEqual([
      'a@b.c',
      'ada@example.com',
    ]);
    // Placeholders identify nobody. A full Chinese name is a trace although it has no space.
    expect(getGuestIdentifyingTexts([REDACTED_GUEST_NAME, 'unknown+res_1@guest.invalid', '李小龙', '李'])).toEqual([
      '李小龙',
    ]);
    const before = {
      note: 'called ada lovelace',
      reason: 'Ada was early',
      by: 'Olga',
      items: ['to ada@EXAMPLE.com', 'x'],
    };
    expect(redactGuestDataInValue(before, redaction)).toEqual({
      note: '[redacted]',
      reason: null,
      by: 'Olga',
      items: ['[redacted]', 'x'],
    });
    expect(redactGuestDataInValue({ reason: 'feed_removed' }, redaction)).toEqual({ reason: 'feed_removed' });
  });
});

describe('a text is mentioned', () => {
  it.each([
    ['Ada Lovelace', 'ADA LOVELACE came', true],
    ['Ada Lovelace', 'Ada Lovelaces Buchung', true],
    ['Ada Lovelace', 'Nada Lovelace', false],
    ['Ada Love', 'Ada Lovelace', false],
    ['ada@x.example', 'not.ada@x.example', false],
    ['ada@x.example', 'ada@x.example.org', false],
    ['ada@x.example', 'from ada@x.example.', true],
    ['李小龙', '預訂李小龙先生', true],
    ['ΝΙΚΟΣ', 'νικος', true],
    ['Straße', 'STRASSE', true],
    ['A.D.', 'ABDC', false],
    ["Sean O'Brien", 'Sean O’Brien', true],
    ['Anna-Lena Meier', 'ANNA‑LENA\u00a0 MEIER', true],
    ['Ada Lovelace', 'Ada\n Love\u00ad\u200blace', true],
    ['Ada Lovelace', '\u202bAda\u200f Lovelace\u202c', true],
    ['IŞIL KAYA', 'Işıl Kaya', true],
    ['محمد علي', 'حجز مُحَمَّد علي', true],
    ['משה כהן', 'מֹשֶׁה כהן', true],
    ['राम कुमार', 'राम कुमारी', false],
    ['Jose Perez', 'Jose Perez\u0330x', false],
  ])('%s in %s: %s', (text, where, is) => {
    expect(createGuestMentionMatcher([text])(where)).toBe(is);
  });

  it('no longer in the redacted names of a correction', () => {
    const data = { fields: ['guest_name'], values: { guest_name: { from: 'Ana', to: 'Ana Sousa' } } };
    expect(findGuestNamesInPayload(data)).toEqual(['Ana', 'Ana Sousa']);
    expect(redactGuestDataInValue(data, res_1)).toEqual({
      ...data,
      values: { guest_name: { from: null, to: null } },
    });
  });
});

describe('a hash over redacted content', () => {
  const salted = createHashSalterWithSealedFileAsSalt(Buffer.from('the sealed file'));

  it('can be computed only with the sealed file', () => {
    expect(salted('aa11')).toMatch(/^[0-9a-f]{64}$/);
    expect(createHashSalterWithSealedFileAsSalt(Buffer.from('the sealed file'))('aa11')).toBe(salted('aa11'));
    expect(createHashSalterWithSealedFileAsSalt(Buffer.from('another file'))('aa11')).not.toBe(salted('aa11'));
  });

  it('still distinguishes two contents', () => {
    expect(salted('aa11')).not.toBe(salted('bb22'));
  });
});
