import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface CustomDomainLapsedEmailProps {
  domain: string;
  property_name: string;
  reason: 'unproven' | 'taken_over' | 'released';
  dashboard_url: string;
}

const WHY = {
  unproven: 'Its TXT record has been missing for hours, so we can no longer verify that the domain is yours.',
  taken_over: 'Another property verified the domain with its own TXT record.',
  released: 'The operator of this installation released it.',
};

/**
 * Renders the mail to the owners about a custom domain that is no longer used for signing links.
 */
export async function renderCustomDomainLapsedEmail(props: CustomDomainLapsedEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Custom domain no longer in use: ${props.domain}`,
    preview: 'Signing links use the main address until the domain is verified again.',
    heading: 'A custom domain is no longer in use',
    paragraphs: [
      `${WHY[props.reason]} New signing links use our main address, and the domain no longer works.`,
      'Guests who have not signed yet are emailed a new link. Earlier links no longer work, so nobody who takes over the domain can use them.',
      'If the domain is still yours, add the TXT record again. We check every hour, and use the domain as soon as we find it.',
    ],
    facts: [
      { label: 'Domain', value: props.domain },
      { label: 'Property', value: props.property_name },
    ],
    action: { label: 'Open the property', href: props.dashboard_url },
    notes: [],
    why: 'You receive this email because you own the team this property belongs to.',
  });
}
