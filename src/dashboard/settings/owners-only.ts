/** Why a member cannot act. */
export const OWNERS_ONLY = 'Only an owner of the account can do this.';
