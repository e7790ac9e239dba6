'use client';
import { useLocale } from 'use-intl/react';
import { HOST_LANGUAGES, type HostLocale } from '@/shared/language/host-language';

/** The tag by which dates, numbers and money are written: the one place that knows it. */
export const useFormats = (): string => HOST_LANGUAGES[useLocale() as HostLocale].formats;
