/** Every action the audit log knows, and what it is called. Pure: the dashboard shows the same words. */
export const AUDIT_ACTIONS = {
  'team.created': 'Created the team',
  'team.renamed': 'Renamed the team',
  'team.sender_changed': 'Changed what guests are told of the team',
  'team.plan_changed': 'Changed the plan',
  'member.invited': 'Invited a member',
  'member.invitation_revoked': 'Withdrew an invitation',
  'member.joined': 'Joined the team',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a member',
  'user.signed_in': 'Signed in',
  'user.password_changed': 'Changed the password',
  'user.password_reset': 'Reset the password by mail',
  'user.address_claimed': 'Proved the address; what was set before has ended',
  'user.address_released': 'Gave the account to the next holder of its address',
  'user.identity_refused': 'Refused a second company account with the same address',
  'user.two_factor_enabled': 'Turned two-factor on',
  'user.two_factor_disabled': 'Turned two-factor off',
  'user.recovery_codes_renewed': 'Made new recovery codes',
  'session.revoked': 'Ended a session',
  'session.revoked_others': 'Signed out everywhere else',
  'api_key.created': 'Created an API key',
  'api_key.rotated': 'Rotated an API key',
  'api_key.revoked': 'Revoked an API key',
  'api_key.device_allowed': 'Allowed a terminal a key',
  'api_key.device_refused': 'Refused a terminal a key',
  'api_key.deprecated_use': 'Called with a rotated key',
  'webhook_endpoint.created': 'Created a webhook endpoint',
  'webhook_endpoint.updated': 'Changed a webhook endpoint',
  'webhook_endpoint.secret_rotated': 'Rotated a signing secret',
  'webhook_endpoint.enabled': 'Re-enabled a webhook endpoint',
  'webhook_endpoint.portal_shared': 'Shared an endpoint’s deliveries under a link',
  'webhook_endpoint.portal_withdrawn': 'Withdrew the link to an endpoint’s deliveries',
  'webhook_endpoint.deleted': 'Deleted a webhook endpoint',
  'property.deleted': 'Deleted a property',
  'property.embedding_changed': 'Changed which sites may show the signing page',
  'property.domain_lapsed': 'Gave up a custom domain that is not proven any more',
  'property.domain_restored': 'Took a custom domain into use again',
  'property.mail_text_changed': 'Changed what a mail to guests says',
  'reservation.both_real': 'Said that two bookings of the same nights are both real',
  'legal_hold.set': 'Set a legal hold',
  'legal_hold.lifted': 'Lifted a legal hold',
  'certificate.downloaded': 'Downloaded several certificates',
  'certificate.redacted': 'Redacted a certificate',
  'copy.revoked': 'Revoked a guest’s copy',
  'copy.restored': 'Restored a guest’s copy',
  'audit_log.exported': 'Exported the audit log',
  'data.export_requested': 'Asked for the team’s data',
  'data.exported': 'Downloaded the team’s data',
  'team.deletion_refused': 'Gave a wrong password or code to delete the account',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

const isKnown = (action: string): action is AuditAction => Object.hasOwn(AUDIT_ACTIONS, action);

/** An action in words; one that this version does not know keeps its name. */
export const actionWords = (action: string): string => (isKnown(action) ? AUDIT_ACTIONS[action] : action);

/** What an entry can tell beside its action. */
export const AUDIT_DETAIL_NAMES = [
  'name',
  'email',
  'role',
  'plan',
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

export type AuditDetails = Readonly<
  Partial<Record<(typeof AUDIT_DETAIL_NAMES)[number], string | number | boolean | readonly string[]>>
>;

export interface AuditDetail {
  name: string;
  value: string;
}

/** `{ name: 'CI', ip_allow: [] }` -> `[{ name: 'name', value: 'CI' }]`. Empty values say nothing. */
export function detailsOf(data: Readonly<Record<string, unknown>>): AuditDetail[] {
  return Object.entries(data)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => ({ name, value: Array.isArray(value) ? value.join(', ') : String(value) }));
}

/** What is called `ip_allow` in the log, in words: `ip allow`. */
export const detailName = (name: string): string => name.replaceAll('_', ' ');
