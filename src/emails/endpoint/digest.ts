import { renderOwnerMail } from '../owner-mail';
import type { RenderedEmail } from '../render';
import { hostOf } from './warning';

export interface EndpointDigestEmailProps {
  endpoints: {
    url: string;
    /** Events of the last day that it has not accepted. */
    undelivered: number;
    last_error: string | null;
    /** It was disabled, by hand or by itself. */
    disabled: boolean;
  }[];
  dashboard_url: string;
}

/** To the owner, once a day at most: what endpoints did not accept. */
export function renderEndpointDigestEmail({
  endpoints,
  dashboard_url,
}: EndpointDigestEmailProps): Promise<RenderedEmail> {
  const total = endpoints.reduce((sum, { undelivered }) => sum + undelivered, 0);
  const events = total === 1 ? '1 event' : `${total} events`;
  const [first] = endpoints;
  const one = endpoints.length === 1 && first ? hostOf(first.url) : null;
  return renderOwnerMail({
    subject: `Webhooks: ${events} not accepted by ${one ? '' : `${endpoints.length} endpoints`}`,
    ...(one && { subject_host: one }),
    preview: 'Of the last 24 hours. Nothing is lost: they can be sent again.',
    heading: `${events} of the last 24 hours ${total === 1 ? 'was' : 'were'} not accepted`,
    paragraphs: [
      'These endpoints refused what we sent, or did not answer. What can still be tried is tried again by itself; all of it can be sent again from the endpoint’s page once it works.',
    ],
    facts: endpoints.flatMap(({ url, undelivered, last_error, disabled }) => [
      { label: 'Endpoint', value: url },
      { label: 'Not accepted', value: `${undelivered}${disabled ? ', and it is disabled now' : ''}` },
      { label: 'Last answer', value: last_error },
    ]),
    action: { label: 'See the endpoints', href: dashboard_url },
    notes: [
      'This mail comes once a day at most, and only while something is not accepted. Each endpoint’s page can switch it off.',
    ],
    why: 'You receive this e-mail because you own the team these endpoints belong to.',
  });
}
