import { formatTimeForOwnerMail, renderOwnerMail } from '../owner-mail';
import type { RenderedEmail } from '../render';

export interface WebhookDeliveryWarningEmailProps {
  endpoint_url: string;
  event_type: string;
  /** The number of failed attempts of this delivery so far. */
  failed_attempts: number;
  /** The number of failed attempts after which the endpoint is disabled. */
  disabled_after: number;
  last_error: string | null;
  next_retry_at: Date | null;
  dashboard_url: string;
}

/** Renders the mail to the owner about a delivery that failed for the third time. */
export async function renderWebhookDeliveryWarningEmail(
  props: WebhookDeliveryWarningEmailProps,
): Promise<RenderedEmail> {
  const host = getUrlHostname(props.endpoint_url);
  return renderOwnerMail({
    subject: 'Webhook endpoint failing:',
    subject_host: host,
    preview: `${props.failed_attempts} attempts failed. Nothing is lost yet.`,
    heading: 'A webhook endpoint keeps failing',
    paragraphs: [
      `${props.failed_attempts} attempts to deliver an event to your endpoint failed. We keep trying at longer and longer intervals. After ${props.disabled_after} failed attempts, the endpoint is disabled.`,
    ],
    facts: [
      { label: 'Endpoint', value: props.endpoint_url },
      { label: 'Event', value: props.event_type },
      { label: 'Last response', value: props.last_error },
      { label: 'Next attempt', value: props.next_retry_at ? formatTimeForOwnerMail(props.next_retry_at) : null },
    ],
    action: { label: 'View deliveries', href: props.dashboard_url },
    notes: ['Any 2xx response within 10 seconds counts as received. Redirects are not followed.'],
    why: 'You receive this email because you own the team this endpoint belongs to.',
  });
}

/** Returns the host of a URL, for the subject of a mail. Returns an invalid URL unchanged. */
export function getUrlHostname(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
