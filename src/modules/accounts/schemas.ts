/** What the dashboard's account procedures take and answer. None of this is part of `/v1`. */
import { z } from 'zod';
import { visibleLine } from '@/shared/guest-text/names';
import { HOST_LOCALES } from '@/shared/language/host-language';
import { EmailAddress, lineText } from '@/shared/schemas';

export const Role = z.enum(['owner', 'member']);
export type Role = z.infer<typeof Role>;

export const Plan = z.enum(['free', 'pro']);
export type Plan = z.infer<typeof Plan>;

/** A person's; longer and empty ones are refused before better-auth sees them. */
export const PersonName = z.string().overwrite(visibleLine).min(1).max(200);

export const TeamName = lineText(120);

const senderText = (max: number) =>
  z
    .string()
    .overwrite(visibleLine)
    .max(max, `must have at most ${max} characters`)
    .nullable()
    .transform((text) => text || null);

/** Who stands behind the team's properties, as guests are told it (shared/guest-text/sender.ts). */
export const SenderIdentity = z.strictObject({
  legal_name: senderText(200),
  postal_address: senderText(300),
  contact_email: EmailAddress.nullable(),
});

const date_time = z.iso.datetime();

export const Team = z.object({ id: z.string(), name: z.string(), plan: Plan });
export type Team = z.infer<typeof Team>;

export const Me = z.object({
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    two_factor_enabled: z.boolean(),
    role: Role,
    /** Null while none was chosen: the browser's then. */
    locale: z.enum(HOST_LOCALES).nullable(),
  }),
  team: Team,
  teams: z.array(z.object({ id: z.string(), name: z.string(), role: Role })),
  mode: z.enum(['live', 'test']),
  /** Whether there is a mail provider; without one nobody is mailed, in live mode either. */
  mail_is_sent: z.boolean(),
  /** Also operates the installation (operators.ts). */
  operator: z.boolean(),
});
export type Me = z.infer<typeof Me>;

export const Member = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  two_factor_enabled: z.boolean(),
  created_at: date_time,
});
export type Member = z.infer<typeof Member>;

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  expires_at: date_time,
  created_at: date_time,
});
export type Invitation = z.infer<typeof Invitation>;

/** What its owner gets who made it. */
export const NewInvitation = Invitation.extend({
  /** The link to hand over, where no mail brings it; else null, since the mail alone proves the address. */
  url: z.string().nullable(),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

/** What the bearer of an invitation's link sees before signing in. */
export const InvitationView = z.object({
  email: z.string(),
  role: Role,
  team_name: z.string(),
  inviter_name: z.string(),
  state: z.enum(['open', 'accepted', 'revoked', 'expired']),
  has_account: z.boolean(),
});
export type InvitationView = z.infer<typeof InvitationView>;

/** What the page of a confirmation mail shows. */
export interface ConfirmationView {
  email: string;
  /** As it was typed at sign-up, possibly by a stranger. */
  name: string;
  state: 'open' | 'confirmed';
  /** Whether this browser signed up; if not, the password is asked for. */
  this_browser: boolean;
}

export const SignedInSession = z.object({
  id: z.string(),
  current: z.boolean(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: date_time,
  last_seen_at: date_time,
});
export type SignedInSession = z.infer<typeof SignedInSession>;

export const InvitationCreate = z.strictObject({ email: z.email().max(254), role: Role.default('member') });
/** The secret of an invitation's link. */
export const ByToken = z.strictObject({ token: z.string().min(1).max(100) });
export const ById = z.strictObject({ id: z.string().min(1).max(100) });
export const RoleChange = z.strictObject({ id: z.string().min(1).max(100), role: Role });
export const TeamUpdate = z.strictObject({ name: TeamName });
export const Done = z.object({ ok: z.literal(true) });
