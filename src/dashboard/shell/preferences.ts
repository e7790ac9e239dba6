'use client';
/** The two choices kept in cookies, where the server reads them before it renders. */
import type { Me } from '@/modules/accounts/schemas';
import { MODE_COOKIE, THEME_COOKIE } from '@/modules/accounts/session-headers';
import { isInSection, navFor } from './nav';

const YEAR_S = 365 * 86_400;

function setCookie(name: string, value: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  const age = value ? YEAR_S : 0;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}

/** Loads the page's section in the other mode. A thing of one mode does not exist in the other, so never its own page. */
export function switchMode(mode: Me['mode']): void {
  setCookie(MODE_COOKIE, mode);
  const sections = navFor({ operator: true }).flatMap((group) => group.items);
  const section = sections.find((item) => item.href !== '/' && isInSection(window.location.pathname, item.href));
  window.location.assign(section?.href ?? '/');
}

export type Theme = 'light' | 'dark' | 'system';

export function currentTheme(): Theme {
  const { classList } = document.documentElement;
  return classList.contains('dark') ? 'dark' : classList.contains('light') ? 'light' : 'system';
}

export function setTheme(theme: Theme): void {
  const { classList } = document.documentElement;
  classList.remove('light', 'dark');
  if (theme !== 'system') classList.add(theme);
  setCookie(THEME_COOKIE, theme === 'system' ? '' : theme);
}
