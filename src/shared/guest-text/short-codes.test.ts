import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fillShortCodes,
  findUnknownShortCodes,
  GUEST_TEXT_SHORT_CODES,
  type GuestTextShortCodeValues,
} from './short-codes';

const values: GuestTextShortCodeValues = {
  guest_name: 'Ada',
  checkin_date: '2026-07-03',
  checkout_date: '2026-07-07',
  property_name: 'Harbour Loft',
  property_address: null,
};

describe('fillShortCodes', () => {
  it.each([
    ['Hello {{guest_name}}!', 'en', 'Hello Ada!'],
    ['{{ guest_name }} at {{property_name}}', 'en', 'Ada at Harbour Loft'],
    ['From {{checkin_date}} to {{checkout_date}}', 'en', 'From July 3, 2026 to July 7, 2026'],
    ['Vom {{checkin_date}}', 'de', 'Vom 3. Juli 2026'],
    ['{{nights}} nuits', 'fr', '4 nuits'],
    ['[{{property_address}}]', 'en', '[]'],
    ['[{{property_address}}]', 'ar', '[]'],
    ['From {{checkin_date}} on', 'ar', 'From \u20683 يوليو 2026\u2069 on'],
    ['{{unknown}} stays', 'en', '{{unknown}} stays'],
    ['{guest_name} {{guest_name', 'en', '{guest_name} {{guest_name'],
  ] as const)('%j in %s becomes %j', (text, locale, expected) => {
    expect(fillShortCodes(text, values, locale)).toBe(expected);
  });

  it('never expands codes inside a value', () => {
    const name = '{{property_name}} $& $1';
    expect(fillShortCodes('Hi {{guest_name}}', { ...values, guest_name: name }, 'en')).toBe(`Hi ${name}`);
  });

  it('leaves text without braces unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('{{')),
        (text) => fillShortCodes(text, values, 'en') === text,
      ),
    );
  });

  it('fills in every code of the catalogue', () => {
    for (const code of Object.keys(GUEST_TEXT_SHORT_CODES)) {
      expect(fillShortCodes(`{{${code}}}`, { ...values, property_address: 'Quay 1' }, 'en')).not.toContain('{{');
    }
  });
});

describe('findUnknownShortCodes', () => {
  it.each([
    ['{{guest_name}} {{nights}}', []],
    ['{{guest}} {{wifi_password}} {{guest}}', ['guest', 'wifi_password']],
    ['{{}} {{ }} {{1}} {{a b}} {{"name": 1}} {{{ x: 1 }}} {{é}}', []],
    ['{{Guest_Name}} {{guest-name}} {{ x1 }}', ['Guest_Name', 'guest-name', 'x1']],
    [`{{${'x'.repeat(61)}}}`, []],
    ['{{constructor}}', ['constructor']],
    ['no codes', []],
  ])('in %j finds %j', (text, expected) => {
    expect(findUnknownShortCodes(text)).toEqual(expected);
  });

  it('returns nothing exactly when filling in leaves no code', () => {
    const piece = fc.constantFrom('{{guest_name}}', '{{nope}}', '{{ nights }}', 'text ', '{', '}');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const left =
          fillShortCodes(text, { ...values, property_address: 'a' }, 'en').match(/\{\{\s*[a-z]\w*\s*\}\}/g) ?? [];
        expect(findUnknownShortCodes(text).length > 0).toBe(left.length > 0);
      }),
    );
  });
});
