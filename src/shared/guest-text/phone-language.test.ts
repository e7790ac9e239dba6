import { describe, expect, it } from 'vitest';
import { findLanguageOfPhoneNumbersInText, getPhoneNumberLanguage } from './phone-language';

describe('a phone number', () => {
  it.each([
    ['+49 170 1234567', 'de'],
    ['0049 (170) 1234-567', 'de'],
    ['+351 912 345 678', 'pt'],
    ['+55 11 91234-5678', 'pt-BR'],
    ['+44 20 7946 0000', 'en-GB'],
    ['+81 90-1234-5678', 'ja'],
    ['+966 50 123 4567', 'ar'],
    ['+7 912 345-67-89', 'ru'],
    // The country has several languages, or none of the guest pages' languages.
    ['+7 701 234 56 78', null],
    ['+41 79 123 45 67', null],
    ['+32 470 12 34 56', null],
    ['+1 415 555 0100', null],
    ['+971 50 123 4567', null],
    ['+46 70 123 45 67', null],
    // The number has no country code.
    ['0170 1234567', null],
    ['+49', null],
    ['', null],
  ])('%s implies the language %s', (number, language) => {
    expect(getPhoneNumberLanguage(number)).toBe(language);
  });
});

describe('the phone numbers in a text', () => {
  it.each([
    ['Guest: Ada\nPhone: +49 170 1234567', 'de'],
    ['Número de teléfono\t+34 600 000 000', 'es'],
    ['電話番号：+81 90 1234 5678', 'ja'],
    ['Phone: +49 170 1234567\nMobile: +49 170 7654321', 'de'],
    ['Phone: +49 170 1234567\nMobile: +33 6 12 34 56 78', null],
    ['Support phone: +33 1 23 45 67 89', null],
    ['Call +49 170 1234567 for help', null],
    ['Phone number (last 4 digits): 1234', null],
    ['Reference: +49 170 1234567', null],
  ])('%j imply the language %s', (text, language) => {
    expect(findLanguageOfPhoneNumbersInText(text)).toBe(language);
  });
});
