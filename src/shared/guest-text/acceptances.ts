/**
 * Statements that a host may require the guest to accept separately, in addition to the general
 * statement.
 */
export const ACCEPTANCES = ['damage', 'deposit', 'smoking', 'cancellation'] as const;
export type AcceptanceName = (typeof ACCEPTANCES)[number];
