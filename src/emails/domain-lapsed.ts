import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface DomainLapsedEmailProps {
  domain: string;
  property_name: string;
  reason: 'unproven' | 'taken_over' | 'released';
  dashboard_url: string;
}

const WHY = {
  unproven: 'Its TXT record has been missing for hours, so nothing proves any more that the domain is yours.',
  taken_over: 'Another property proved the domain by a TXT record of its own.',
  released: 'The operator of this installation released it.',
};

/** To the owners: a custom domain carries no signing links any more. */
export async function renderDomainLapsedEmail(props: DomainLapsedEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: `Custom domain no longer in use: ${props.domain}`,
    preview: 'Signing links use the main address until the domain is proven again.',
    heading: 'A custom domain is no longer in use',
    paragraphs: [
      `${WHY[props.reason]} New signing links use our main address, and nothing is served under the domain.`,
      'Guests who have not signed yet are mailed a new link. Links that were mailed before no longer work, so nobody who gets hold of the domain can use them.',
      'If the domain is still yours, set the TXT record again. We look for it every hour, and use the domain as soon as it is there.',
    ],
    facts: [
      { label: 'Domain', value: props.domain },
      { label: 'Property', value: props.property_name },
    ],
    action: { label: 'Open the property', href: props.dashboard_url },
    notes: [],
    why: 'You receive this e-mail because you own the team this property belongs to.',
  });
}
