/** Inputs and outputs of the dashboard's account procedures. They are not part of `/v1`. */
import { z } from 'zod';
import { normalizeSingleLineText } from '@/shared/guest-text/names';
import { HOST_LOCALES } from '@/shared/language/host-language';
import { EmailAddress, singleLineTextField } from '@/shared/schemas';
import { ROLES } from '@/shared/scope';

export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

export const PricingPlan = z.enum(['free', 'pro']);
export type PricingPlan = z.infer<typeof PricingPlan>;

/** A person's name. Empty and overlong names are refused before the request reaches better-auth. */
export const PersonName = z.string().overwrite(normalizeSingleLineText).min(1).max(200);

export const TeamName = singleLineTextField(120);

const senderText = (max: number) =>
  z
    .string()
    .overwrite(normalizeSingleLineText)
    .max(max, `must have at most ${max} characters`)
    .nullable()
    .transform((text) => text || null);

/**
 * The legal person responsible for the team's properties, as shown to guests
 * (shared/guest-text/sender.ts).
 */
export const TeamLegalIdentity = z.strictObject({
  legal_name: senderText(200),
  postal_address: senderText(300),
  contact_email: EmailAddress.nullable(),
});

const date_time = z.iso.datetime();

export const Team = z.object({ id: z.string(), name: z.string(), plan: PricingPlan });
export type Team = z.infer<typeof Team>;

export const Me = z.object({
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    two_factor_enabled: z.boolean(),
    role: Role,
    /**
     * Whether the user sees guests' personal data. False only in live mode, for developers without
     * that permission.
     */
    sees_guests: z.boolean(),
    /**
     * The user's language. Null until the user chooses one. Until then the browser's language is
     * used.
     */
    locale: z.enum(HOST_LOCALES).nullable(),
  }),
  team: Team,
  teams: z.array(z.object({ id: z.string(), name: z.string(), role: Role })),
  mode: z.enum(['live', 'test']),
  /** Whether a mail provider is configured. Without one, no mail is sent in either mode. */
  mail_is_sent: z.boolean(),
  /** This installation's display names of the booking channels. */
  channel_names: z.object({ channel_a: z.string(), channel_b: z.string(), channel_c: z.string() }),
  /** Whether the user is an operator of the installation (operators.ts). */
  operator: z.boolean(),
});
export type Me = z.infer<typeof Me>;

export const Member = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  /** Whether the member sees guests' personal data in live mode too. Used only for developers. */
  sees_guests: z.boolean(),
  /** The assigned properties of this mode. Used only for co-hosts. */
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
export const CreatedInvitation = Invitation.extend({
  /**
   * The link that the inviter delivers. Null if the link was mailed, because a mailed link proves
   * access to the mailbox only if nobody else has the link.
   */
  url: z.string().nullable(),
});
export type CreatedInvitation = z.infer<typeof CreatedInvitation>;

/** The content of an invitation's page, which is visible without signing in. */
export const InvitationPageContent = z.object({
  email: z.string(),
  role: Role,
  team_name: z.string(),
  inviter_name: z.string(),
  state: z.enum(['open', 'accepted', 'revoked', 'expired']),
  has_account: z.boolean(),
});
export type InvitationPageContent = z.infer<typeof InvitationPageContent>;

/** The content of the page that the confirmation mail links to. */
export interface EmailConfirmationView {
  email: string;
  /** The name entered at sign-up, possibly by a stranger. */
  name: string;
  state: 'open' | 'confirmed';
  /** Whether the requesting browser signed up. If not, the page requires the password. */
  this_browser: boolean;
}

/** The user's sign-in methods other than the password, and the proof required to change them. */
export const UserPasskeysAndRequiredProof = z.object({
  passkeys: z.array(z.object({ id: z.string(), name: z.string().nullable(), created_at: date_time.nullable() })),
  /**
   * The proof that is required now. `nothing`: the user has just signed in with a passkey or
   * through the company's provider. `sign_in`: the user must sign in again, for example because the
   * account has no password.
   */
  proof: z.enum(['nothing', 'password', 'sign_in']),
  /** The new e-mail address that awaits confirmation. */
  pending_email: z.string().nullable(),
});
export type UserPasskeysAndRequiredProof = z.infer<typeof UserPasskeysAndRequiredProof>;

export const EmailAddressChangeInput = z.strictObject({
  email: EmailAddress,
  password: z.string().max(256).optional(),
});

/** The owner's settings for how members sign in. */
export const SignInRulesUpdate = z.strictObject({
  require_second_factor: z.boolean(),
  require_company_account: z.boolean(),
  /**
   * Required to switch a rule off, except in the first minutes after a sign-in with a passkey or
   * through the company's provider.
   */
  password: z.string().max(256).optional(),
});
export const SignInRulesAndProviderName = z.object({
  require_second_factor: z.boolean(),
  require_company_account: z.boolean(),
  /** The display name of the configured identity provider. Null without a provider. */
  company: z.string().nullable(),
});
export type SignInRulesAndProviderName = z.infer<typeof SignInRulesAndProviderName>;

/** Describes a session that does not satisfy the sign-in rules of its team. */
export interface SignInRuleViolation {
  need: 'company_account' | 'second_factor';
  team_name: string;
  other_teams: { id: string; name: string }[];
}

/** The content of the page that the mail to a new address links to. */
export interface EmailAddressChangeView {
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

/** The limit is far above the number of properties that a team has. */
const PropertyIds = z.array(z.string().min(1).max(100)).max(500);

export const CreateInvitationInput = z.strictObject({
  email: z.email().max(254),
  role: Role.default('manager'),
  /** The assigned properties of this mode. Used only for co-hosts. */
  property_ids: PropertyIds.optional(),
});
/** The secret from an invitation's link. */
export const InvitationTokenInput = z.strictObject({ token: z.string().min(1).max(100) });
export const InvitationOrSavedViewOrSessionIdInput = z.strictObject({ id: z.string().min(1).max(100) });
export const MemberRoleChangeInput = z.strictObject({
  id: z.string().min(1).max(100),
  role: Role,
  /**
   * The assigned properties of this mode, which replace the earlier ones. Used only for co-hosts.
   */
  property_ids: PropertyIds.optional(),
  /** Whether the member sees guests' personal data in live mode too. Used only for developers. */
  sees_guests: z.boolean().optional(),
});
export type MemberRoleChangeInput = z.infer<typeof MemberRoleChangeInput>;
export const TeamUpdate = z.strictObject({ name: TeamName });
export const OkResult = z.object({ ok: z.literal(true) });
