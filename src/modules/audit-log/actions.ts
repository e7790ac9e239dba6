/** The actions of the audit log and their display names. The dashboard imports this file too. */
export const AUDIT_ACTIONS = {
  'team.created': 'Created the team',
  'team.renamed': 'Renamed the team',
  'team.sender_changed': 'Changed the details shown to guests',
  'team.plan_changed': 'Changed the plan',
  'team.sign_in_rules_changed': 'Changed how members sign in',
  'member.invited': 'Invited a member',
  'member.invitation_revoked': 'Withdrew an invitation',
  'member.joined': 'Joined the team',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a member',
  'user.signed_in': 'Signed in',
  'user.password_changed': 'Changed the password',
  'user.password_reset': 'Reset the password by email',
  'user.address_claimed': 'Confirmed the email address, which ended earlier sign-in methods',
  'user.address_released': 'Released the account to the new holder of its email address',
  'user.identity_refused': 'Refused a second company account with the same email address',
  'user.two_factor_enabled': 'Turned two-factor on',
  'user.two_factor_disabled': 'Turned two-factor off',
  'user.recovery_codes_renewed': 'Created new recovery codes',
  'user.passkey_added': 'Added a passkey',
  'user.passkey_removed': 'Removed a passkey',
  'user.email_change_requested': 'Requested a change of email address',
  'user.email_changed': 'Changed the email address',
  'session.revoked': 'Ended a session',
  'session.revoked_others': 'Signed out everywhere else',
  'api_key.created': 'Created an API key',
  'api_key.rotated': 'Rotated an API key',
  'api_key.revoked': 'Revoked an API key',
  'api_key.device_allowed': 'Gave the command-line tool an API key',
  'api_key.device_refused': 'Refused the command-line tool an API key',
  'api_key.deprecated_use': 'Used a rotated key',
  'assistant.connected': 'Connected an assistant',
  'assistant.disconnected': 'Disconnected an assistant',
  'webhook_endpoint.created': 'Created a webhook endpoint',
  'webhook_endpoint.updated': 'Changed a webhook endpoint',
  'webhook_endpoint.secret_rotated': 'Rotated a signing secret',
  'webhook_endpoint.enabled': 'Re-enabled a webhook endpoint',
  'webhook_endpoint.portal_shared': 'Shared an endpoint’s deliveries by link',
  'webhook_endpoint.portal_withdrawn': 'Withdrew the link to an endpoint’s deliveries',
  'webhook_endpoint.deleted': 'Deleted a webhook endpoint',
  'property.deleted': 'Deleted a property',
  'property.embedding_changed': 'Changed which sites may show the signing page',
  'property.domain_lapsed': 'Stopped using a custom domain that was no longer verified',
  'property.domain_restored': 'Started using a custom domain again',
  'property.mail_text_changed': 'Changed the text of an email to guests',
  'reservation.both_real': 'Kept both bookings of a double booking',
  'legal_hold.set': 'Set a legal hold',
  'legal_hold.lifted': 'Lifted a legal hold',
  'certificate.downloaded': 'Downloaded several certificates',
  'certificate.redacted': 'Redacted a certificate',
  'guest.erasure_requested': 'Requested that a guest’s data be erased',
  'guest.erased': 'Erased a guest’s data',
  'copy.revoked': 'Withdrew the link to a guest’s copy',
  'copy.restored': 'Restored the link to a guest’s copy',
  'audit_log.exported': 'Exported the audit log',
  'data.export_requested': 'Requested the team’s data',
  'data.month_exported': 'Exported one month of data',
  'data.exported': 'Downloaded the team’s data',
  'team.deletion_refused': 'Entered a wrong password or code when deleting the team',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

const isKnown = (action: string): action is AuditAction => Object.hasOwn(AUDIT_ACTIONS, action);

/**
 * Returns an action's display name. An unknown action, from a newer version, is returned unchanged.
 */
export const getAuditActionLabel = (action: string): string => (isKnown(action) ? AUDIT_ACTIONS[action] : action);

/** The names of the details that an entry can contain. */
export const AUDIT_ENTRY_DETAIL_NAMES = [
  'name',
  'email',
  'role',
  'sees_guests',
  'property_ids',
  'plan',
  'require_second_factor',
  'require_company_account',
  'with',
  'method',
  'path',
  'files',
  'reservation',
  'other',
  'mail',
  'locale',
  'origins',
  'url',
  'status',
  'header_names',
  'digest',
  'days',
  'scopes',
  'ip_allow',
  'successor_id',
  'legal_name',
  'postal_address',
  'contact_email',
  'count',
  'from',
  'to',
  'action',
  'actor',
] as const;

export type AuditEntryDetails = Readonly<
  Partial<Record<(typeof AUDIT_ENTRY_DETAIL_NAMES)[number], string | number | boolean | readonly string[]>>
>;

export interface FormattedAuditEntryDetail {
  name: string;
  value: string;
}

/**
 * Converts `{ name: 'CI', ip_allow: [] }` to `[{ name: 'name', value: 'CI' }]`. Drops empty values.
 */
export function formatAuditEntryDetails(data: Readonly<Record<string, unknown>>): FormattedAuditEntryDetail[] {
  return Object.entries(data)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => ({ name, value: Array.isArray(value) ? value.join(', ') : String(value) }));
}

/** Labels of details whose names a host would not understand. */
const DETAIL_LABELS: Readonly<Record<string, string>> = {
  sees_guests: 'sees guests’ data',
  property_ids: 'properties',
  require_second_factor: 'second factor required',
  require_company_account: 'company account required',
  other: 'other booking',
  mail: 'email',
  locale: 'language',
  origins: 'sites',
  header_names: 'headers',
  digest: 'daily email',
  ip_allow: 'allowed IP addresses',
  successor_id: 'new key',
};

/** Returns the English label of a detail, such as `legal name` for `legal_name`. */
export const getAuditEntryDetailLabel = (name: string): string => DETAIL_LABELS[name] ?? name.replaceAll('_', ' ');
