'use client';
/** Stores choices in cookies, which the server reads before rendering. */
import type { Me } from '@/modules/accounts/schemas';
import { LIVE_OR_TEST_MODE_COOKIE_NAME, THEME_COOKIE } from '@/modules/accounts/session-headers';
import { setPreferenceCookie } from '../keep-cookie';
import { ALL_NAV_GROUPS, isPathInSection } from './nav';

/**
 * Switches the mode and opens the current section in the other mode. It cannot reopen the current
 * object, which exists only in one mode.
 */
export function switchLiveOrTestMode(mode: Me['mode']): void {
  setPreferenceCookie(LIVE_OR_TEST_MODE_COOKIE_NAME, mode);
  const sections = ALL_NAV_GROUPS.flatMap((group) => group.items);
  const section = sections.find((item) => item.href !== '/' && isPathInSection(window.location.pathname, item.href));
  window.location.assign(section?.href ?? '/');
}

export type Theme = 'light' | 'dark' | 'system';

export function getCurrentTheme(): Theme {
  const { classList } = document.documentElement;
  return classList.contains('dark') ? 'dark' : classList.contains('light') ? 'light' : 'system';
}

export function setTheme(theme: Theme): void {
  const { classList } = document.documentElement;
  classList.remove('light', 'dark');
  if (theme !== 'system') classList.add(theme);
  setPreferenceCookie(THEME_COOKIE, theme === 'system' ? '' : theme);
}
