/** What a host may have the guest accept one by one, apart from the statement that covers everything. */
export const ACCEPTANCES = ['damage', 'deposit', 'smoking', 'cancellation'] as const;
export type AcceptanceName = (typeof ACCEPTANCES)[number];
