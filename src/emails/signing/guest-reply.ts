import { formatDay } from '@/shared/guest-text/format';
import { toSafeSenderName } from '@/shared/text/plain-name';
import { renderOwnerMail } from '../owner-mail';
import type { RenderedEmail } from '../render';

export interface GuestReplyEmailProps {
  kind: 'question' | 'declined';
  guest_name: string;
  property_name: string;
  /** `YYYY-MM-DD` */
  checkin_date: string;
  /** The guest's own message, possibly empty. */
  message: string;
  /** Whether the owner can reach the guest by replying to this mail. */
  answerable: boolean;
  reservation_url: string;
}

/**
 * Renders the mail to the owner about a guest who asked a question or disagreed instead of signing.
 */
export async function renderGuestReplyEmail(props: GuestReplyEmailProps): Promise<RenderedEmail> {
  const { guest_name: guest, property_name: property } = props;
  const asks = props.kind === 'question';
  return renderOwnerMail({
    subject: `${asks ? 'A question' : 'Not agreed'}: ${toSafeSenderName(guest, 'a guest')}, ${toSafeSenderName(property, 'your property')}`,
    preview: asks ? `${guest} has a question before signing.` : `${guest} does not agree with the house rules.`,
    heading: asks ? `${guest} has a question` : `${guest} does not agree`,
    paragraphs: [
      asks
        ? `${guest} has a question before signing for ${property}.`
        : `${guest} does not agree with the house rules of ${property}. Nothing was signed, and the link still works.`,
    ],
    quote: props.message ? { title: `In ${guest}’s words`, text: props.message } : undefined,
    facts: [{ label: 'Check-in', value: formatDay(props.checkin_date, 'en') }],
    action: { label: 'Open the reservation', href: props.reservation_url },
    notes: props.answerable ? ['Reply to this email to write to the guest.'] : [],
    why: `You receive this email because you own ${property} on Threshold.`,
  });
}
