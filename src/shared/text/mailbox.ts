/**
 * What an address is counted under when mail to it is limited: most providers deliver `ada+anything@example.com` to
 * `ada@example.com`. The database has the same rule (modules/mail/budget.repository.ts).
 */
export const mailboxOf = (address: string): string => address.toLowerCase().replace(/\+[^@]*(?=@)/, '');
