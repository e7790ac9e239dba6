/** Groups the scopes by resource, for the picker. Pure. */
import { API_KEY_SCOPE_NAMES, isScopeGranted, type RequiredScope } from '@/modules/api-keys/scopes';

export interface ApiKeyScopeGroup {
  resource: Resource;
  scopes: { name: RequiredScope; verb: string }[];
}

type Resource = RequiredScope extends `${infer Name}:${string}` ? Name : never;

export const API_KEY_SCOPE_GROUPS: readonly ApiKeyScopeGroup[] = API_KEY_SCOPE_NAMES.reduce<ApiKeyScopeGroup[]>(
  (groups, name) => {
    const [resource, verb] = name.split(':') as [Resource, string];
    const scope = { name, verb };
    const group = groups.find((item) => item.resource === resource);
    if (group) group.scopes.push(scope);
    else groups.push({ resource, scopes: [scope] });
    return groups;
  },
  [],
);

/** Returns the message key of a scope: `reservations_send` for `reservations:send`. */
export const getApiKeyScopeMessageKey = (name: RequiredScope) => name.replace(':', '_') as Underscored<RequiredScope>;

type Underscored<Name> = Name extends `${infer Resource}:${infer Verb}` ? `${Resource}_${Verb}` : never;

/**
 * Returns whether another chosen scope includes this scope: `write` includes `read` of the same
 * resource.
 */
export function isScopeIncludedByOtherScope(chosen: readonly string[], name: RequiredScope): boolean {
  return isScopeGranted(
    chosen.filter((scope) => scope !== name),
    name,
  );
}

/**
 * Removes the scopes that another chosen scope includes. Returns the rest in the catalogue's order.
 */
export function removeScopesIncludedInOthers(chosen: readonly string[]): RequiredScope[] {
  return API_KEY_SCOPE_NAMES.filter((name) => chosen.includes(name) && !isScopeIncludedByOtherScope(chosen, name));
}

/** Splits IP ranges at commas and line breaks. */
export function parseIpRanges(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
}
