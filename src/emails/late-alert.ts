import { formatDay } from '@/shared/guest-text/format';
import { plainName } from '@/shared/text/plain-name';
import { ownerInstant, renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface LateAlertEmailProps {
  property_name: string;
  guest_name: string;
  /** `YYYY-MM-DD` */
  checkin_date: string;
  /** How far the guest got; `unsent` when auto-send had no address or no packet, or was held back. */
  status: 'unsent' | 'sent' | 'opened' | 'clicked';
  sent_at: Date | null;
  /** IANA zone of the property; null means UTC. */
  timezone: string | null;
  reservation_url: string;
}

const PROGRESS = {
  unsent: 'Nothing was sent: no address of the guest, no active packet, or another booking for the same nights',
  sent: 'The mail was sent, but no sign yet that it was read',
  opened: 'The mail was opened, the page was not',
  clicked: 'The page was opened, but not signed',
} as const;

/** To the owner: check-in has come and the guest has not signed. */
export async function renderLateAlertEmail(props: LateAlertEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Not signed yet: ${plainName(props.guest_name, 'a guest')}, ${plainName(props.property_name, 'your property')}`,
    preview: `Check-in ${formatDay(props.checkin_date, 'en', 'medium')}: the packet is still unsigned.`,
    heading: `${props.guest_name} has not signed yet`,
    paragraphs: [
      `Check-in at ${props.property_name} has come, and the packet is still unsigned. Arrival details that you hold until signing are still held.`,
    ],
    facts: [
      { label: 'Check-in', value: formatDay(props.checkin_date, 'en') },
      { label: 'So far', value: PROGRESS[props.status] },
      { label: 'Last sent', value: props.sent_at ? ownerInstant(props.sent_at, props.timezone) : null },
    ],
    action: { label: 'Open the reservation', href: props.reservation_url },
    notes: [
      'There you can send the link again, copy it for another channel, or release the arrival details with a reason.',
    ],
    why: `You receive this e-mail because you own ${props.property_name} on Threshold.`,
  });
}
