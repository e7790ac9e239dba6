/** What a team requires of sessions that access it. Pure. */
export interface TeamRules {
  require_second_factor: boolean;
  require_company_account: boolean;
}

/**
 * How the user signed in, as proof for the team's rules. An assistant inherits the proof of the
 * session that connected it.
 */
export interface SignInProof {
  by_company: boolean;
  second_factor: boolean;
}

const WITH_FACTOR: readonly unknown[] = ['password_and_factor', 'passkey', 'company_account'];

/**
 * Returns the proof of a sign-in method. The company's provider is responsible for the second
 * factor of its users.
 */
export const getSignInProof = (signed_in_with: string | null | undefined): SignInProof => ({
  by_company: signed_in_with === 'company_account',
  second_factor: WITH_FACTOR.includes(signed_in_with),
});

/** The requirement that a session does not satisfy. */
export type MissingRequirement = 'company_account' | 'second_factor';

/**
 * Returns the missing proof, or null. A company account is required only while a provider is
 * configured, because otherwise nobody could sign in. A second factor that the account got later
 * does not count.
 */
export function findMissingRequirement(
  rules: TeamRules,
  proof: SignInProof,
  has_provider: boolean,
): MissingRequirement | null {
  if (rules.require_company_account && has_provider && !proof.by_company) return 'company_account';
  return rules.require_second_factor && !proof.second_factor ? 'second_factor' : null;
}
