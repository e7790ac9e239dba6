import { formatTimeForOwnerMail, renderOwnerMail } from '../owner-mail';
import type { RenderedEmail } from '../render';
import { getUrlHostname } from './warning';

export interface EndpointDisabledEmailProps {
  endpoint_url: string;
  failed_attempts: number;
  failing_since: Date | null;
  last_error: string | null;
  dashboard_url: string;
}

/**
 * Renders the mail to the owner about an endpoint that was disabled after its ninth failed attempt
 * (specification: webhook endpoint status).
 */
export async function renderEndpointDisabledEmail(props: EndpointDisabledEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: 'Webhook endpoint disabled:',
    subject_host: getUrlHostname(props.endpoint_url),
    preview: 'It receives no events until you enable it again.',
    heading: 'We disabled a webhook endpoint',
    paragraphs: [
      `After ${props.failed_attempts} failed attempts, your endpoint receives no more events. Waiting deliveries keep waiting, and events that occur in the meantime are recorded.`,
      'Once the receiver works again, enable the endpoint in the dashboard. Waiting deliveries then resume, and you can resend the events it missed.',
    ],
    facts: [
      { label: 'Endpoint', value: props.endpoint_url },
      { label: 'Failing since', value: props.failing_since ? formatTimeForOwnerMail(props.failing_since) : null },
      { label: 'Last response', value: props.last_error },
    ],
    action: { label: 'Open the endpoint', href: props.dashboard_url },
    notes: ['You can only enable it again in the dashboard, not through the API.'],
    why: 'You receive this email because you own the team this endpoint belongs to.',
  });
}
