/**
 * The sections of the settings, in order. The first section's path is `/settings`. Every other path
 * ends in the section's name. Pure.
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

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];
/** Sections whose path contains their name. */
export type SettingsSubpage = Exclude<SettingsSection, 'team'>;

export const isSettingsSubpage = (name: string): name is SettingsSubpage =>
  name !== 'team' && SETTINGS_SECTIONS.some((value) => value === name);

/** Returns the section of a path: `members` for `/settings/members`. */
export function getSettingsSection(pathname: string): SettingsSection {
  const name = pathname.split('/')[2];
  return SETTINGS_SECTIONS.find((value) => value === name) ?? 'team';
}
