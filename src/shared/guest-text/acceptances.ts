/**
 * Statements that a host may require the guest to accept separately, in addition to the general
 * statement.
 */
export const ACCEPTANCE_STATEMENT_NAMES = ['damage', 'deposit', 'smoking', 'cancellation'] as const;
export type AcceptanceStatementName = (typeof ACCEPTANCE_STATEMENT_NAMES)[number];
