import { expect, it } from 'vitest';
import { findMissingSignInRequirement, getRequirementsMetBySignInMethod } from './team-rules.rules';

it.each([
  ['a team without rules admits a session by password', [false, false], 'password', true, null],
  ['a required factor is met by two-factor', [true, false], 'password_and_factor', true, null],
  ['a required factor is met by a passkey', [true, false], 'passkey', true, null],
  ['a required factor is met by the company’s provider', [true, false], 'company_account', true, null],
  ['a required factor is not met by a password alone', [true, false], 'password', true, 'second_factor'],
  ['a required factor is not met by a session of the previous version', [true, false], null, true, 'second_factor'],
  [
    'a password session needs the provider first, even if both are required',
    [true, true],
    'password',
    true,
    'company_account',
  ],
  ['a required provider is not replaced by a passkey', [false, true], 'passkey', true, 'company_account'],
  ['a required provider is ignored when none is configured', [false, true], 'password', false, null],
] as const)('%s', (_title, [factor, company], signed_in_with, has_provider, expected) => {
  const demanded = { require_second_factor: factor, require_company_account: company };
  expect(findMissingSignInRequirement(demanded, getRequirementsMetBySignInMethod(signed_in_with), has_provider)).toBe(
    expected,
  );
});
