import { ownerInstant, renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface SyncFailingEmailProps {
  property_name: string;
  /** What the dashboard calls the source, for example “Channel A calendar”. The feed's address is a secret. */
  source_label: string;
  failing_since: Date;
  failures: number;
  last_error: string | null;
  dashboard_url: string;
}

/** To the owner: a calendar has not synced for a while. */
export async function renderSyncFailingEmail(props: SyncFailingEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Calendar not syncing: ${props.property_name}`,
    preview: 'New bookings may be missing until it works again.',
    heading: 'A calendar has stopped syncing',
    paragraphs: [
      `We could not read a calendar of ${props.property_name}. Reservations already here stay as they are; new bookings and changes may be missing until it works again. We keep trying.`,
    ],
    facts: [
      { label: 'Source', value: props.source_label },
      { label: 'Failing since', value: ownerInstant(props.failing_since) },
      { label: 'Failed runs', value: String(props.failures) },
      { label: 'Last error', value: props.last_error },
    ],
    action: { label: 'Open the calendar', href: props.dashboard_url },
    notes: ['Often the channel has given the calendar a new address. Copy it from the channel and enter it there.'],
    why: `You receive this e-mail because you own ${props.property_name} on Threshold.`,
  });
}
