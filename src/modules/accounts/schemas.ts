/** Inputs and outputs of the dashboard's account procedures. None is part of `/v1`. */
import { z } from 'zod';
import { normalizeLine } from '@/shared/guest-text/names';
import { HOST_LOCALES } from '@/shared/language/host-language';
import { EmailAddress, lineTextField } from '@/shared/schemas';
import { ROLES } from '@/shared/scope';

export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

export const Plan = z.enum(['free', 'pro']);
export type Plan = z.infer<typeof Plan>;

/** A person's name. Empty and overlong ones are refused before better-auth sees them. */
export const PersonName = z.string().overwrite(normalizeLine).min(1).max(200);

export const TeamName = lineTextField(120);

const senderText = (max: number) =>
  z
    .string()
    .overwrite(normalizeLine)
    .max(max, `must have at most ${max} characters`)
    .nullable()
    .transform((text) => text || null);

/**
 * The legal person behind the team's properties, as shown to guests (shared/guest-text/sender.ts).
 */
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
    /** Whether guests' personal data is shown. False only for some developers in live mode. */
    sees_guests: z.boolean(),
    /** Null until the user chooses one. The browser's language is used until then. */
    locale: z.enum(HOST_LOCALES).nullable(),
  }),
  team: Team,
  teams: z.array(z.object({ id: z.string(), name: z.string(), role: Role })),
  mode: z.enum(['live', 'test']),
  /** Whether a mail provider is configured. Without one no mail is sent, not even in live mode. */
  mail_is_sent: z.boolean(),
  /** The display names of the channels in this installation. */
  channel_names: z.object({ channel_a: z.string(), channel_b: z.string(), channel_c: z.string() }),
  /** Whether the user also operates the installation (operators.ts). */
  operator: z.boolean(),
});
export type Me = z.infer<typeof Me>;

export const Member = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  /** For developers: whether guests' personal data is shown in live mode too. */
  sees_guests: z.boolean(),
  /** For co-hosts: the assigned properties of this mode. */
  property_ids: z.array(z.string()),
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

/** A new invitation, as its creator sees it. */
export const NewInvitation = Invitation.extend({
  /**
   * The link to hand over. Null where mail is sent, because only the mail may prove the address.
   */
  url: z.string().nullable(),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

/** The content of an invitation's page before signing in. */
export const InvitationView = z.object({
  email: z.string(),
  role: Role,
  team_name: z.string(),
  inviter_name: z.string(),
  state: z.enum(['open', 'accepted', 'revoked', 'expired']),
  has_account: z.boolean(),
});
export type InvitationView = z.infer<typeof InvitationView>;

/** The content of the page that a confirmation mail links to. */
export interface ConfirmationView {
  email: string;
  /** As entered at sign-up, possibly by a stranger. */
  name: string;
  state: 'open' | 'confirmed';
  /** Whether this browser signed up. If not, the page asks for the password. */
  this_browser: boolean;
}

/** The user's sign-in methods besides the password, and the proof needed to change them. */
export const OwnSecurity = z.object({
  passkeys: z.array(z.object({ id: z.string(), name: z.string().nullable(), created_at: date_time.nullable() })),
  /** `nothing` right after a sign-in without password, `sign_in` for a user without a password. */
  proof: z.enum(['nothing', 'password', 'sign_in']),
  /** The new address that awaits confirmation. */
  pending_email: z.string().nullable(),
});
export type OwnSecurity = z.infer<typeof OwnSecurity>;

export const EmailChange = z.strictObject({ email: EmailAddress, password: z.string().max(256).optional() });

/** The owner's settings for how members sign in. */
export const SignInRulesUpdate = z.strictObject({
  require_second_factor: z.boolean(),
  require_company_account: z.boolean(),
  /**
   * Required for switching a rule off, except in the first minutes after a sign-in with a passkey
   * or the company's provider.
   */
  password: z.string().max(256).optional(),
});
export const SignInRules = z.object({
  require_second_factor: z.boolean(),
  require_company_account: z.boolean(),
  /** The display name of the configured provider. Null without one. */
  company: z.string().nullable(),
});
export type SignInRules = z.infer<typeof SignInRules>;

/** A session that does not satisfy the sign-in rules of the team it would open. */
export interface RefusedAccess {
  need: 'company_account' | 'second_factor';
  team_name: string;
  other_teams: { id: string; name: string }[];
}

/** The content of the page that a mail to a new address links to. */
export interface EmailChangeView {
  email: string;
  state: 'open' | 'sign_in' | 'another_account';
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

/** A team has at most hundreds of properties. */
const PropertyIds = z.array(z.string().min(1).max(100)).max(500);

export const InvitationCreate = z.strictObject({
  email: z.email().max(254),
  role: Role.default('manager'),
  /** For co-hosts: the properties of this mode. */
  property_ids: PropertyIds.optional(),
});
/** The secret in an invitation's link. */
export const InvitationTokenInput = z.strictObject({ token: z.string().min(1).max(100) });
export const IdInput = z.strictObject({ id: z.string().min(1).max(100) });
export const RoleChange = z.strictObject({
  id: z.string().min(1).max(100),
  role: Role,
  /** For co-hosts: the properties of this mode, replacing those assigned before. */
  property_ids: PropertyIds.optional(),
  /** For developers: whether guests' personal data is shown in live mode too. */
  sees_guests: z.boolean().optional(),
});
export type RoleChange = z.infer<typeof RoleChange>;
export const TeamUpdate = z.strictObject({ name: TeamName });
export const OkResult = z.object({ ok: z.literal(true) });
