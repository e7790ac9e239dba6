/** The scope catalogue by resource, as the picker shows it. Pure. */
import { hasScope, type RequiredScope, SCOPE_NAMES, SCOPES } from '@/modules/api-keys/scopes';

export interface ScopeGroup {
  resource: string;
  /** `Sync sources` */
  label: string;
  scopes: { name: RequiredScope; verb: string; description: string }[];
}

const LABELS: Record<string, string> = { sms_messages: 'SMS messages' };

function labelOf(resource: string): string {
  return LABELS[resource] ?? resource.charAt(0).toUpperCase() + resource.slice(1).replaceAll('_', ' ');
}

export const SCOPE_GROUPS: readonly ScopeGroup[] = SCOPE_NAMES.reduce<ScopeGroup[]>((groups, name) => {
  const [resource = '', verb = ''] = name.split(':');
  const scope = { name, verb, description: SCOPES[name] };
  const group = groups.find((item) => item.resource === resource);
  if (group) group.scopes.push(scope);
  else groups.push({ resource, label: labelOf(resource), scopes: [scope] });
  return groups;
}, []);

/** Whether a scope comes with another chosen one: `read` with the same resource's `write`. */
export function isIncluded(chosen: readonly string[], name: RequiredScope): boolean {
  return hasScope(
    chosen.filter((scope) => scope !== name),
    name,
  );
}

/** The chosen scopes without those that others include, in the catalogue's order. */
export function minimalScopes(chosen: readonly string[]): RequiredScope[] {
  return SCOPE_NAMES.filter((name) => chosen.includes(name) && !isIncluded(chosen, name));
}

/** `10.0.0.0/8, 192.0.2.1` or one a line, as a list. */
export function readRanges(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
}
