import { formatDay } from '@/shared/guest-text/format';
import { toSafeSenderName } from '@/shared/text/plain-name';
import { formatTimeForOwnerMail, renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface LateSigningAlertEmailProps {
  property_name: string;
  guest_name: string;
  /** `YYYY-MM-DD` */
  checkin_date: string;
  /**
   * The guest's progress. `unsent` means that automatic sending was held, or that the guest's
   * address or the packet was missing.
   */
  status: 'unsent' | 'sent' | 'opened' | 'clicked';
  sent_at: Date | null;
  /** IANA zone of the property. Null means UTC. */
  timezone: string | null;
  reservation_url: string;
}

const PROGRESS = {
  unsent: 'Nothing was sent: no email address, no active house rules, or a double booking',
  sent: 'The email was sent, but probably not opened yet',
  opened: 'The email was opened, but the page was not',
  clicked: 'The page was opened, but not signed',
} as const;

/** Renders the mail to the owner about a guest who has not signed by check-in time. */
export async function renderLateSigningAlertEmail(props: LateSigningAlertEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Not signed yet: ${toSafeSenderName(props.guest_name, 'a guest')}, ${toSafeSenderName(props.property_name, 'your property')}`,
    preview: `Check-in ${formatDay(props.checkin_date, 'en', 'medium')}: the house rules are not signed yet.`,
    heading: `${props.guest_name} has not signed yet`,
    paragraphs: [
      `It is check-in time at ${props.property_name}, and the house rules are not signed yet. Arrival details that you show only after signing are still hidden.`,
    ],
    facts: [
      { label: 'Check-in', value: formatDay(props.checkin_date, 'en') },
      { label: 'So far', value: PROGRESS[props.status] },
      { label: 'Last sent', value: props.sent_at ? formatTimeForOwnerMail(props.sent_at, props.timezone) : null },
    ],
    action: { label: 'Open the reservation', href: props.reservation_url },
    notes: [
      'There you can send the link again, copy it to send it another way, or release the arrival details with a reason.',
    ],
    why: `You receive this email because you own ${props.property_name} on Threshold.`,
  });
}
