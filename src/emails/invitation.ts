import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface InvitationEmailProps {
  team_name: string;
  inviter_name: string;
  role: 'owner' | 'member';
  accept_url: string;
  expires_in_days: number;
}

/** An invitation to join a team. */
export async function renderInvitationEmail(props: InvitationEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    // What a stranger may choose stays out of the line that is read before the mail is opened.
    subject: 'You are invited to a team on Threshold',
    preview: 'Join the team on Threshold.',
    heading: 'You are invited to a team',
    paragraphs: [
      `${props.inviter_name} invites you to work on ${props.team_name} on Threshold as ${props.role === 'owner' ? 'an owner' : 'a member'}. Threshold has guests read and sign house rules before they arrive.`,
    ],
    action: { label: 'Accept the invitation', href: props.accept_url },
    notes: [
      `The invitation works for ${props.expires_in_days} ${props.expires_in_days === 1 ? 'day' : 'days'}.`,
      'If you do not know who sent it, ignore this e-mail: nothing happens until you accept.',
    ],
    why: 'You receive this e-mail because your address was entered in an invitation.',
  });
}
