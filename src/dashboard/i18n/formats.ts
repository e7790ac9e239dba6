'use client';
import { useLocale } from 'use-intl/react';
import { HOST_LANGUAGES, type HostLocale } from '@/shared/language/host-language';

/** The locale for dates, numbers and money. No other code chooses it. */
export const useFormats = (): string => HOST_LANGUAGES[useLocale() as HostLocale].formats;
