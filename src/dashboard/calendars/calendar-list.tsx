'use client';
import { useQuery } from '@tanstack/react-query';
import { CalendarSync, Inbox, Plus } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CalendarKindLabel } from '../channel-names';
import { Notice } from '../developers/notice';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { ListCard } from '../list-card';
import { paths } from '../paths';
import { usePermissions } from '../shell/me';
import { useTRPC } from '../trpc';
import type { SyncSource } from '../types';
import { Button } from '../ui/button';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { lazyComponent } from '../ui/lazy-component';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';
import { SyncSourceHealthBadge } from './source-badge';

const ConnectDialog = lazyComponent(() => import('./connect-dialog').then((file) => file.ConnectCalendarDialog));

type Words = NamespaceTranslator<'calendars'>;

const columnsOf = (t: Words): Column<SyncSource>[] => [
  { id: 'kind', header: t('source'), cell: (row) => <CalendarKindLabel kind={row.kind} /> },
  { id: 'property', header: t('property'), cell: (row) => row.property_name },
  { id: 'health', header: t('state'), cell: (row) => <SyncSourceHealthBadge source={row} /> },
  {
    id: 'last',
    header: t('last_run'),
    cell: (row) => (
      <span className="relative z-10">
        <DateTime value={row.last_synced_at} />
      </span>
    ),
  },
  {
    id: 'error',
    header: t('last_problem'),
    cell: (original) => <span className="line-clamp-2 max-w-sm text-ink-soft">{original.last_error ?? '–'}</span>,
  },
];

const cardOf = (row: SyncSource) => (
  <div className="grid gap-1.5">
    <div className="flex items-center justify-between gap-3">
      <span className="font-medium">
        <CalendarKindLabel kind={row.kind} />
      </span>
      <SyncSourceHealthBadge source={row} />
    </div>
    <span className="text-sm">{row.property_name}</span>
    {row.last_error ? <span className="line-clamp-2 text-ink-soft text-sm">{row.last_error}</span> : null}
  </div>
);

export function CalendarList() {
  const t = useTranslations('calendars');
  const columns = useMemo(() => columnsOf(t), [t]);
  const trpc = useTRPC();
  const sources = useQuery(trpc.sync_sources.list.queryOptions({ limit: 500 }, { refetchInterval: 10_000 }));
  const router = useRouter();
  const params = useSearchParams();
  const [connecting, setConnecting] = useState(false);
  const { manages } = usePermissions();
  const waiting = (sources.data?.data ?? []).reduce((sum, source) => sum + source.waiting_mails, 0);
  const connect = manages ? (
    <Button onClick={() => setConnecting(true)}>
      <Plus aria-hidden />
      {t('connect')}
    </Button>
  ) : null;
  return (
    <>
      <PageHeader
        title={t('calendar_feeds')}
        help="calendars"
        description={t('channels_calendars_and_forwarded_mail')}
        actions={
          <>
            {manages ? (
              <LinkButton variant="secondary" href={paths.inbox}>
                <Inbox aria-hidden />
                {t('inbox')}
              </LinkButton>
            ) : null}
            {connect}
          </>
        }
      />
      {waiting > 0 && manages ? (
        <Notice
          className="mb-5"
          tone="warning"
          title={t('mails_wait_for_you', { count: waiting })}
          actions={
            <LinkButton variant="secondary" size="sm" href={paths.inbox}>
              {t('open_the_inbox')}
            </LinkButton>
          }
        >
          {t('it_could_not_be_applied_by_itself')}
        </Notice>
      ) : null}
      <ListCard
        query={sources}
        rows={sources.data?.data}
        columns={columns}
        label={t('calendars')}
        href={(row) => paths.calendar(row.id)}
        card={cardOf}
        empty={
          <EmptyState icon={CalendarSync} title={t('no_calendar_feeds_yet')} action={connect}>
            {manages ? t('connect_a_booking_channels_calendar') : null}
          </EmptyState>
        }
      />
      {connecting || (params.has('new') && manages) ? (
        <ConnectDialog
          onClose={() => {
            setConnecting(false);
            if (params.has('new')) router.replace(paths.calendars, { scroll: false });
          }}
          onConnected={(source) => router.push(paths.calendar(source.id))}
        />
      ) : null}
    </>
  );
}
