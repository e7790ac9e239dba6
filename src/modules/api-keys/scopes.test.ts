import { describe, expect, it } from 'vitest';
import {
  API_KEY_SCOPE_DESCRIPTIONS,
  API_KEY_SCOPE_NAMES,
  getGrantedScopes,
  isApiKeyScopeName,
  isScopeGranted,
  type RequiredScope,
} from './scopes';

describe('the scope catalogue', () => {
  it('matches the specification and the design', () => {
    expect(API_KEY_SCOPE_NAMES).toEqual([
      'properties:read',
      'properties:write',
      'packets:read',
      'packets:write',
      'reservations:read',
      'reservations:write',
      'reservations:send',
      'certificates:read',
      'sync_sources:read',
      'sync_sources:run',
      'sms_messages:read',
      'webhooks:read',
      'webhooks:write',
      'events:read',
      'request_logs:read',
      'test_clocks:read',
      'test_clocks:write',
    ]);
    for (const description of Object.values(API_KEY_SCOPE_DESCRIPTIONS)) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  it('does not contain the names of JavaScript’s built-in properties', () => {
    expect(isApiKeyScopeName('constructor')).toBe(false);
    expect(isApiKeyScopeName('__proto__')).toBe(false);
    expect(isApiKeyScopeName('reservations:send')).toBe(true);
  });
});

describe('isScopeGranted', () => {
  /** Each scope includes itself and the scope listed here, and no others. */
  const includes: Partial<Record<RequiredScope, RequiredScope>> = {
    'properties:write': 'properties:read',
    'packets:write': 'packets:read',
    'reservations:write': 'reservations:read',
    'reservations:send': 'reservations:read',
    'sync_sources:run': 'sync_sources:read',
    'webhooks:write': 'webhooks:read',
    'test_clocks:write': 'test_clocks:read',
  };

  it.each(API_KEY_SCOPE_NAMES.flatMap((held) => API_KEY_SCOPE_NAMES.map((required) => [held, required] as const)))(
    'decides whether a key with %s has %s',
    (held, required) => {
      expect(isScopeGranted([held], required)).toBe(held === required || includes[held] === required);
    },
  );

  it('a secret key has every scope, a restricted one without scopes has none', () => {
    for (const scope of API_KEY_SCOPE_NAMES) {
      expect(isScopeGranted(getGrantedScopes({ type: 'secret', scopes: [] }), scope)).toBe(true);
      expect(isScopeGranted(getGrantedScopes({ type: 'restricted', scopes: [] }), scope)).toBe(false);
      expect(isScopeGranted(getGrantedScopes({ type: 'other', scopes: API_KEY_SCOPE_NAMES }), scope)).toBe(false);
    }
  });

  it('an unknown scope of a known resource grants nothing', () => {
    expect(isScopeGranted(['reservations:admin', 'reservations:'], 'reservations:read')).toBe(false);
  });
});
