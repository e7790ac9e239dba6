import { renderOwnerMail } from '../owner-mail';
import type { RenderedEmail } from '../render';
import { getUrlHostname } from './warning';

export interface UndeliveredEventsDigestEmailProps {
  endpoints: {
    url: string;
    /** The number of events in the last day that the endpoint did not accept. */
    undelivered: number;
    last_error: string | null;
    /** Whether the endpoint is disabled, manually or automatically. */
    disabled: boolean;
  }[];
  dashboard_url: string;
}

/**
 * Renders the mail to the owner about events that endpoints did not accept. It is sent at most once
 * a day.
 */
export function renderUndeliveredEventsDigestEmail({
  endpoints,
  dashboard_url,
}: UndeliveredEventsDigestEmailProps): Promise<RenderedEmail> {
  const total = endpoints.reduce((sum, { undelivered }) => sum + undelivered, 0);
  const events = total === 1 ? '1 event' : `${total} events`;
  const [first] = endpoints;
  const one = endpoints.length === 1 && first ? getUrlHostname(first.url) : null;
  return renderOwnerMail({
    subject: `Webhooks: ${events} not accepted by ${one ? '' : `${endpoints.length} endpoints`}`,
    ...(one && { subject_host: one }),
    preview: 'Nothing is lost: you can send them again.',
    heading: `${events} ${total === 1 ? 'was' : 'were'} not accepted in the last 24 hours`,
    paragraphs: [
      'These endpoints refused what we sent, or did not respond. We keep retrying where we can. Once an endpoint works, you can send everything again from its page.',
    ],
    facts: endpoints.flatMap(({ url, undelivered, last_error, disabled }) => [
      { label: 'Endpoint', value: url },
      { label: 'Not accepted', value: `${undelivered}${disabled ? ', and the endpoint is disabled' : ''}` },
      { label: 'Last response', value: last_error },
    ]),
    action: { label: 'View endpoints', href: dashboard_url },
    notes: [
      'You get this email at most once a day, and only while something is not accepted. You can turn it off on each endpoint’s page.',
    ],
    why: 'You receive this email because you own the team these endpoints belong to.',
  });
}
