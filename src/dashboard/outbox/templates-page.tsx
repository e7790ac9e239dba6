'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { GUEST_LANGUAGES } from '@/shared/guest-text/locale';
import { useListUrl } from '../list/list-url';
import { NotFoundOrErrorCard } from '../not-found-or-error';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import type { MailTemplate } from '../types';
import { Card, CardBody } from '../ui/card';
import { cn } from '../ui/cn';
import { Select } from '../ui/form/select';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { MailPreview } from './mail-preview';
import { useMailTemplates } from './use-templates';

const AUDIENCES = ['guest', 'owner', 'account'] as const;
const FILTERS = ['name'] as const;

export function MailTemplatesPage() {
  const t = useTranslations('outbox');
  const templates = useMailTemplates();
  const { values, set } = useListUrl(FILTERS);
  const [locale, setLocale] = useState('en');
  const chosen = templates.data?.find(({ name }) => name === values.name) ?? templates.data?.[0];
  return (
    <>
      <PageHeader
        back={{ href: paths.outbox, label: t('outbox') }}
        title={t('mail_templates')}
        help="emails"
        description={t('each_with_sample_data_guests_get_theirs')}
      />
      {templates.error && !templates.data ? (
        <NotFoundOrErrorCard
          error={templates.error}
          noun={t('list_of_mails')}
          missing={t('this_version_has_none')}
          list={{ href: paths.outbox, label: t('outbox') }}
          onRetry={() => void templates.refetch()}
        />
      ) : templates.data && chosen ? (
        <div className="grid items-start gap-5 lg:grid-cols-[15rem_minmax(0,1fr)]">
          <TemplateNav templates={templates.data} chosen={chosen.name} onChoose={(name) => set({ name })} />
          <TemplatePreview template={chosen} locale={locale} onLocale={setLocale} />
        </div>
      ) : (
        <Card className="grid gap-4 p-5" aria-busy>
          <Skeleton className="h-6 w-1/3" />
          <Skeleton className="h-96" />
        </Card>
      )}
    </>
  );
}

interface TemplateNavProps {
  templates: MailTemplate[];
  chosen: string;
  onChoose: (name: string) => void;
}

/**
 * The list of templates next to the preview. On a phone, the list is a select above the preview.
 */
function TemplateNav({ templates, chosen, onChoose }: TemplateNavProps) {
  const t = useTranslations('outbox');
  return (
    <>
      <div className="lg:hidden">
        <Select
          aria-label={t('mail')}
          value={chosen}
          onValueChange={onChoose}
          options={templates.map(({ name, label }) => ({ value: name, label }))}
        />
      </div>
      <nav aria-label={t('mails')} className="hidden gap-5 lg:grid">
        {AUDIENCES.map((audience) => (
          <div key={audience} className="grid gap-0.5">
            <p className="px-2.5 pb-1 text-ink-soft text-xs">{t(`audience_${audience}`)}</p>
            {templates
              .filter((template) => template.audience === audience)
              .map(({ name, label }) => (
                <button
                  key={name}
                  type="button"
                  aria-current={name === chosen ? 'true' : undefined}
                  onClick={() => onChoose(name)}
                  className={cn(
                    'rounded-md px-2.5 py-1.5 text-left text-sm transition-colors',
                    name === chosen ? 'bg-tint font-medium text-primary' : 'hover:bg-muted',
                  )}
                >
                  {label}
                </button>
              ))}
          </div>
        ))}
      </nav>
    </>
  );
}

interface TemplatePreviewProps {
  template: MailTemplate;
  locale: string;
  onLocale: (locale: string) => void;
}

function TemplatePreview({ template, locale, onLocale }: TemplatePreviewProps) {
  const t = useTranslations('outbox');
  const trpc = useTRPC();
  const preview = useQuery(
    trpc.mail.preview.queryOptions(
      { name: template.name, locale: template.audience === 'guest' ? locale : 'en' },
      { placeholderData: keepPreviousData, staleTime: 60_000 },
    ),
  );
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-3 border-b px-5 py-4">
        <div className="grid min-w-0 gap-0.5">
          <h2 className="break-words font-semibold text-base">{preview.data?.subject ?? template.label}</h2>
          <p className="text-ink-soft text-sm leading-relaxed">{template.when}</p>
        </div>
        {template.audience === 'guest' ? (
          <Select
            aria-label={t('language')}
            className="w-36!"
            value={locale}
            onValueChange={onLocale}
            options={Object.entries(GUEST_LANGUAGES).map(([value, { name }]) => ({ value, label: name }))}
          />
        ) : null}
      </div>
      <CardBody>
        {preview.data ? (
          <MailPreview html={preview.data.html} text={preview.data.text} stale={preview.isPlaceholderData} />
        ) : preview.error ? (
          <NotFoundOrErrorCard
            error={preview.error}
            noun={t('mail_2')}
            missing={t('this_version_does_not_have_it')}
            list={{ href: paths.mail_templates, label: t('all_mails') }}
            onRetry={() => void preview.refetch()}
          />
        ) : (
          <Skeleton className="h-96" />
        )}
      </CardBody>
    </Card>
  );
}
