/** The guests' languages by their own names. The names alone: the messages of the guest pages are not for the dashboard. */
import type { GuestLocale } from '@/shared/guest-text/locale';

export const LANGUAGE_NAMES: Record<GuestLocale, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  nl: 'Nederlands',
};
