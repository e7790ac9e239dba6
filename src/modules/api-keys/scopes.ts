/** The scopes of restricted keys (design, "Scopes"), as the dashboard describes them. */
export const API_KEY_SCOPE_DESCRIPTIONS = {
  'properties:read': 'List and read properties.',
  'properties:write': 'Create, update and delete properties. Includes reading them.',
  'packets:read': 'Read packets: rules, fees and check-in information.',
  'packets:write': 'Create, edit, archive, restore and delete packets. Includes reading them.',
  'reservations:read': 'List and read reservations, their timeline and test e-mail previews.',
  'reservations:write': 'Create, update, cancel and delete reservations. Includes reading them.',
  'reservations:send':
    'Send and resend packets to guests, and read the signing link. Anyone who has the link can sign. Includes reading reservations.',
  'certificates:read': 'List, read and download certificates.',
  'sync_sources:read': 'List and read sync sources.',
  'sync_sources:run': 'Run a calendar sync now. Includes reading sync sources.',
  'sms_messages:read': 'List and read the SMS delivery log.',
  'webhooks:read': 'List and read webhook endpoints and their deliveries.',
  'webhooks:write':
    'Create, update, rotate and delete webhook endpoints, and redeliver events. Anyone with such a key can have every event of the account, including guests’ data, sent to an address of their own. Includes reading endpoints.',
  'events:read': 'List and read events, with the guests’ data in them.',
  'request_logs:read': 'List and read the requests made with any key of the same mode (live or test).',
  'test_clocks:read': 'List and read test clocks.',
  'test_clocks:write': 'Create, advance and delete test clocks, in test mode. Includes reading them.',
} as const satisfies Record<string, string>;

/** A scope that an operation can require and a restricted key can have. */
export type RequiredScope = keyof typeof API_KEY_SCOPE_DESCRIPTIONS;

export const API_KEY_SCOPE_NAMES = Object.keys(API_KEY_SCOPE_DESCRIPTIONS) as RequiredScope[];

/** A key's scopes: `all` for a secret key, a list for a restricted one. */
export type GrantedScopes = 'all' | readonly string[];

export function isApiKeyScopeName(name: string): name is RequiredScope {
  return Object.hasOwn(API_KEY_SCOPE_DESCRIPTIONS, name);
}

/** Returns whether the grant includes the scope. `write`, `send` and `run` include `read`. */
export function isScopeGranted(granted: GrantedScopes, required: RequiredScope): boolean {
  if (granted === 'all' || granted.includes(required)) return true;
  const [resource, verb] = required.split(':');
  return verb === 'read' && granted.some((scope) => isApiKeyScopeName(scope) && scope.startsWith(`${resource}:`));
}

/** Returns a key's grant from its stored type and scopes. An unknown type grants nothing. */
export function getGrantedScopes(key: { type: string; scopes: readonly string[] }): GrantedScopes {
  if (key.type === 'secret') return 'all';
  return key.type === 'restricted' ? key.scopes : [];
}
