import type { Role } from '@/shared/scope';
import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

const ROLE_NAMES: Record<Role, string> = {
  owner: 'an owner',
  manager: 'a manager',
  co_host: 'a co-host',
  developer: 'a developer',
};

export interface InvitationEmailProps {
  team_name: string;
  inviter_name: string;
  role: Role;
  accept_url: string;
  expires_in_days: number;
}

/** Renders an invitation to join a team. */
export async function renderInvitationEmail(props: InvitationEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    // The subject contains no text that a stranger can choose, because recipients read it before
    // they open the mail.
    subject: 'You are invited to a team on Threshold',
    preview: 'Join the team on Threshold.',
    heading: 'You are invited to a team',
    paragraphs: [
      `${props.inviter_name} invites you to join the team ${props.team_name} on Threshold as ${ROLE_NAMES[props.role]}. With Threshold, guests read and sign house rules before they arrive.`,
    ],
    action: { label: 'Accept the invitation', href: props.accept_url },
    notes: [
      `The invitation works for ${props.expires_in_days} ${props.expires_in_days === 1 ? 'day' : 'days'}.`,
      'If you do not know who sent it, ignore this email: nothing happens until you accept.',
    ],
    why: 'You receive this email because your address was entered in an invitation.',
  });
}
