/** Statements that a host may have the guest accept separately, in addition to the general one. */
export const ACCEPTANCES = ['damage', 'deposit', 'smoking', 'cancellation'] as const;
export type AcceptanceName = (typeof ACCEPTANCES)[number];
