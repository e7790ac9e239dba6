'use client';
import { useTranslations } from 'use-intl/react';
import { HOST_LANGUAGES, HOST_LOCALES, type HostLocale } from '@/shared/language/host-language';
import { useLanguage } from '../shell/use-language';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Select } from '../ui/form/select';

const OPTIONS = HOST_LOCALES.map((locale) => ({ value: locale, label: HOST_LANGUAGES[locale].name }));

/** Changes the user's language for the dashboard. */
export function LanguageCard() {
  const t = useTranslations('shell');
  const { locale, choose } = useLanguage();
  return (
    <Card>
      <CardHeader title={t('language')} description={t('language_is_yours')} />
      <CardBody>
        <Select
          aria-label={t('language')}
          className="max-w-56"
          value={locale}
          options={OPTIONS}
          onValueChange={(chosen) => choose(chosen as HostLocale)}
        />
      </CardBody>
    </Card>
  );
}
