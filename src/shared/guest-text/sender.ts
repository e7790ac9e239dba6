/**
 * The host's details for guests, as shown in mails, on the signing page and on certificates. Pure.
 */

export interface SenderDetails {
  legal_name: string | null;
  postal_address: string | null;
  contact_email: string | null;
  /** The team's name. It is the guest's contracting party when there is no legal name. */
  team_name?: string | undefined;
}

export const EMPTY_SENDER_DETAILS: SenderDetails = { legal_name: null, postal_address: null, contact_email: null };

/** Returns the available details, in the order in which they are shown. */
export function listSenderDetailsInDisplayOrder(sender: SenderDetails | null | undefined): string[] {
  if (!sender) return [];
  return [sender.legal_name ?? sender.team_name ?? null, sender.postal_address, sender.contact_email].filter(
    (part) => part !== null,
  );
}

/** Returns the details on one line. Null when there are none. */
export const formatSenderLine = (sender: SenderDetails | null | undefined): string | null =>
  listSenderDetailsInDisplayOrder(sender).join(' · ') || null;

/**
 * Returns the reply address of mails to guests. Null means that replies go to the mail's own sender
 * address.
 */
export const getGuestMailReplyToAddress = (
  property: { reply_to_email: string | null },
  sender: SenderDetails,
): string | null => property.reply_to_email ?? sender.contact_email;
