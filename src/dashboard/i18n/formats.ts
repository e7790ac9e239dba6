'use client';
import { useLocale } from 'use-intl/react';
import { HOST_LANGUAGES, type HostLocale } from '@/shared/language/host-language';

/**
 * Returns the locale for dates, numbers and money. All code that formats them must use this locale.
 */
export const useFormattingLocale = (): string => HOST_LANGUAGES[useLocale() as HostLocale].formats;
