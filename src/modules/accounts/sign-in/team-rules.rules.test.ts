import { expect, it } from 'vitest';
import { accessNeed, proofOf } from './team-rules.rules';

it.each([
  ['nothing is demanded', [false, false], 'password', true, null],
  ['a factor, with two-factor', [true, false], 'password_and_factor', true, null],
  ['a factor, by a passkey', [true, false], 'passkey', true, null],
  ['a factor, by the provider, which answers for it', [true, false], 'company_account', true, null],
  ['a factor, by the password alone', [true, false], 'password', true, 'second_factor'],
  ['a factor, in a session of the version before', [true, false], null, true, 'second_factor'],
  ['the provider before the factor', [true, true], 'password', true, 'company_account'],
  ['the provider, by a passkey', [false, true], 'passkey', true, 'company_account'],
  ['the provider, which is not configured', [false, true], 'password', false, null],
] as const)('%s', (_title, [factor, company], signed_in_with, has_provider, expected) => {
  const demanded = { require_second_factor: factor, require_company_account: company };
  expect(accessNeed(demanded, proofOf(signed_in_with), has_provider)).toBe(expected);
});
