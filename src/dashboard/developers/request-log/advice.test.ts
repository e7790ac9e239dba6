import { expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '@/shared/errors';
import { createEnglishTranslator } from '../../i18n/english-words';
import en from '../../i18n/messages/en.json';

/** Requests that are refused before the key is known are not logged. */
const NOT_LOGGED = /^(api_key_|malformed_request|request_timeout|headers_too_large)/;

const t = createEnglishTranslator('error_advice');
const logged = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !NOT_LOGGED.test(code));

it.each(logged)('the request log gives the same advice on %s as the error catalogue', (code) => {
  const { when, fix } = ERRORS[code];
  expect(t(`advice_${code}` as 'advice_invalid_field')).toBe(`${when} ${fix}`.replaceAll('`', ''));
});

it('the request log has advice for logged errors only', () => {
  expect(Object.keys(en.error_advice)).toEqual(logged.map((code) => `advice_${code}`));
});
