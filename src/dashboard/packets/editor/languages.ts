/** The guests' languages by their own names. The names alone: the messages of the guest pages are not for the dashboard. */
import type { GuestLocale } from '@/shared/guest-text/locale';

export const LANGUAGE_NAMES: Record<GuestLocale, string> = {
  en: 'English',
  'en-GB': 'English (UK)',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  'pt-BR': 'Português (Brasil)',
  nl: 'Nederlands',
  pl: 'Polski',
  ru: 'Русский',
  ar: 'العربية',
  'zh-Hans': '简体中文',
  ja: '日本語',
  ko: '한국어',
};
