'use client';
import { useTranslations } from 'use-intl/react';
import { useFormats } from '../i18n/formats';
import { useReader } from '../reader';
import { since } from './since';

/** Says how long ago a moment was, in the reader's language. */
export function useSince(): (moment: string) => string {
  const t = useTranslations('ui');
  const formats = useFormats();
  const { now } = useReader();
  return (moment) => since(moment, now(), { formats, just_now: t('just_now') });
}
