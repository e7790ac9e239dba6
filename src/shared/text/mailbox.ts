/**
 * Returns the mailbox of an address, by which the number of mails is limited. Most providers
 * deliver `ada+anything@example.com` to `ada@example.com`. The database has the same rule
 * (modules/mail/budget.repository.ts).
 */
export function normalizeMailboxAddress(address: string): string {
  const [local = '', ...domain] = address.toLowerCase().split('@');
  return [local.split('+', 1)[0], ...domain].join('@');
}
