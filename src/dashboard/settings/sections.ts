/**
 * The sections of the settings, in order. Each has a path, and the first is `/settings` itself.
 * Pure.
 */
export const SETTINGS_SECTIONS = [
  'team',
  'members',
  'plan',
  'security',
  'sessions',
  'notifications',
  'audit-log',
  'data',
] as const;

export type SectionName = (typeof SETTINGS_SECTIONS)[number];
/** Sections with a name in their path. */
export type NamedSection = Exclude<SectionName, 'team'>;

export const isSettingsSection = (name: string): name is NamedSection =>
  name !== 'team' && SETTINGS_SECTIONS.some((value) => value === name);

/** The section of a path: `/settings/members` is `members`. */
export function getSettingsSection(pathname: string): SectionName {
  const name = pathname.split('/')[2];
  return SETTINGS_SECTIONS.find((value) => value === name) ?? 'team';
}
