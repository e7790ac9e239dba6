/** The sign-in rules of a team. Pure. */
export interface TeamSignInRules {
  require_second_factor: boolean;
  require_company_account: boolean;
}

/**
 * What a session proved when the user signed in. An assistant inherits the second factor of the
 * session that connected it.
 */
export interface RequirementsMetAtSignIn {
  by_company: boolean;
  second_factor: boolean;
}

const WITH_FACTOR: readonly unknown[] = ['password_and_factor', 'passkey', 'company_account'];

/**
 * Returns what a sign-in method proves. A company account counts as a second factor, because the
 * provider is responsible for second factors.
 */
export const getRequirementsMetBySignInMethod = (
  signed_in_with: string | null | undefined,
): RequirementsMetAtSignIn => ({
  by_company: signed_in_with === 'company_account',
  second_factor: WITH_FACTOR.includes(signed_in_with),
});

/** The requirement that a session does not satisfy. */
export type MissingSignInRequirement = 'company_account' | 'second_factor';

/**
 * Returns the first rule that the session does not satisfy, or null. A company account is required
 * only while a provider is configured, because otherwise nobody could sign in. Only the factors
 * used at sign-in count, not factors that the user added later.
 */
export function findMissingSignInRequirement(
  rules: TeamSignInRules,
  proof: RequirementsMetAtSignIn,
  has_provider: boolean,
): MissingSignInRequirement | null {
  if (rules.require_company_account && has_provider && !proof.by_company) return 'company_account';
  return rules.require_second_factor && !proof.second_factor ? 'second_factor' : null;
}
