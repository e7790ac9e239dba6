/** Who stands behind a property: what a team says of itself to guests, on mails, the signing page and certificates. Pure. */

export interface Sender {
  legal_name: string | null;
  postal_address: string | null;
  contact_email: string | null;
  /** The team's own name: the counterparty while it has no legal name. */
  team_name?: string | undefined;
}

export const NOBODY: Sender = { legal_name: null, postal_address: null, contact_email: null };

/** What it says, in order; empty when it says nothing. */
export function senderParts(sender: Sender | null | undefined): string[] {
  if (!sender) return [];
  return [sender.legal_name ?? sender.team_name ?? null, sender.postal_address, sender.contact_email].filter(
    (part) => part !== null,
  );
}

/** The same on one line; null when it says nothing. */
export const senderLine = (sender: Sender | null | undefined): string | null => senderParts(sender).join(' · ') || null;

/** Where a guest's answer to a mail goes; null leaves it to the address the mail is from. */
export const replyTo = (property: { reply_to_email: string | null }, sender: Sender): string | null =>
  property.reply_to_email ?? sender.contact_email;
