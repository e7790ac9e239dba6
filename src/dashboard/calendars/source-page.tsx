'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useTranslations } from 'use-intl/react';
import { useCalendarName } from '../channel-names';
import { Notice } from '../developers/notice';
import { DetailPageSkeleton, NotFoundOrErrorCard } from '../not-found-or-error';
import { paths } from '../paths';
import { usePermissions } from '../shell/me';
import { useTRPC } from '../trpc';
import type { SyncSource } from '../types';
import { Card, CardBody, CardHeader, DescriptionList } from '../ui/card';
import { CopyableId, CopyField } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { retryImport } from '../ui/lazy-component';
import { PageHeader } from '../ui/page-header';
import { TreatClosedDatesAsBlockedSwitch } from './policy-select';
import { ReplaceCalendarLinkForm } from './replace-link';
import { SyncSourceActions } from './source-actions';
import { SyncSourceHealthBadge } from './source-badge';

const RunList = dynamic(() => retryImport(() => import('./run-list').then((file) => file.SyncRunList)));

const ForwardingInstructions = dynamic(() =>
  retryImport(() => import('./forwarding-instructions').then((file) => file.ForwardingInstructions)),
);
const HeldChangesCard = dynamic(() =>
  retryImport(() => import('./held-card').then((file) => file.CalendarQuestionsForHostCards)),
);
const ReadingRulesCard = dynamic(() =>
  retryImport(() => import('./reading-card').then((file) => file.FeedEntryWordRulesCard)),
);
const StayList = dynamic(() => retryImport(() => import('./stay-list').then((file) => file.SyncSourceStayList)));
const AutoApplyMailsSwitch = dynamic(() =>
  retryImport(() => import('./mail-proposed-change').then((file) => file.AutoApplyForwardedMailsSwitch)),
);
const MailList = dynamic(() => retryImport(() => import('./mail-list').then((file) => file.InboxMailList)));

export function SyncSourcePage({ id }: { id: string }) {
  const t = useTranslations('calendar_detail');
  const trpc = useTRPC();
  const source = useQuery(trpc.sync_sources.retrieve.queryOptions({ id }, { refetchInterval: 10_000 }));
  if (source.data) return <Loaded source={source.data} />;
  return (
    <>
      <PageHeader
        back={{ href: paths.calendars, label: t('calendar_feeds') }}
        title={source.error ? t('calendar') : null}
      />
      {source.error ? (
        <NotFoundOrErrorCard
          error={source.error}
          noun={t('calendar_2')}
          missing={t('it_was_removed_or_belongs_to_the_other_mode')}
          list={{ href: paths.calendars, label: t('all_calendars') }}
          onRetry={() => void source.refetch()}
        />
      ) : (
        <DetailPageSkeleton />
      )}
    </>
  );
}

function Loaded({ source }: { source: SyncSource }) {
  const t = useTranslations('calendar_detail');
  const kind = useCalendarName()(source.kind);
  const trpc = useTRPC();
  const property = useQuery(
    trpc.properties.retrieve.queryOptions(
      { id: source.property_id ?? '' },
      { enabled: Boolean(source.property_id), staleTime: 60_000 },
    ),
  );
  const zone = property.data?.timezone;
  const { manages, handles_guests } = usePermissions();
  const calendar = source.forwarding_address === null;
  return (
    <>
      <PageHeader
        back={{ href: paths.calendars, label: t('calendar_feeds') }}
        title={kind}
        help={calendar ? 'calendars' : 'emails'}
        description={source.property_name}
        badge={<SyncSourceHealthBadge source={source} />}
        actions={manages ? <SyncSourceActions source={source} /> : null}
      />
      <div className="grid gap-5">
        <Notices source={source} zone={zone} />
        {source.enabled && manages ? <HeldChangesCard source={source} zone={zone} /> : null}
        {source.forwarding_address && manages ? <ForwardingInstructions address={source.forwarding_address} /> : null}
        <Card>
          <CardHeader title={t(calendar ? 'calendar' : 'address')} />
          <CardBody className="grid gap-5">
            {source.feed_url ? <CopyField value={source.feed_url} label={t('calendar_link_2')} /> : null}
            <DescriptionList
              items={[
                { label: t('id'), value: <CopyableId value={source.id} /> },
                { label: t('connected'), value: <DateTime value={source.created_at} zone={zone} /> },
                {
                  label: t(calendar ? 'last_run' : 'last_mail'),
                  value: <DateTime value={source.last_synced_at} zone={zone} />,
                },
                ...(calendar
                  ? [{ label: t('next_run'), value: <DateTime value={source.next_run_at} zone={zone} /> }]
                  : []),
              ]}
            />
            {source.kind === 'channel_c_ical' && manages ? <Closures source={source} /> : null}
            {calendar || !manages ? null : <AutoApplyMailsSwitch id={source.id} checked={source.apply_proven_mails} />}
          </CardBody>
        </Card>
        {calendar && manages ? <ReadingRulesCard source={source} /> : null}
        {handles_guests ? <StayList source={source} /> : null}
        {calendar && handles_guests ? <RunList source={source} zone={zone} /> : null}
        {calendar || !manages ? null : <MailList source_id={source.id} waiting={false} />}
      </div>
    </>
  );
}

function Closures({ source }: { source: SyncSource }) {
  const trpc = useTRPC();
  const update = useMutation(trpc.sync_sources.update.mutationOptions());
  return (
    <div className="border-t pt-5">
      <TreatClosedDatesAsBlockedSwitch
        checked={source.closures_are_blocks}
        disabled={update.isPending}
        onChange={(closures_are_blocks) => update.mutate({ id: source.id, closures_are_blocks })}
      />
    </div>
  );
}

function Notices({ source, zone }: { source: SyncSource; zone: string | null | undefined }) {
  const t = useTranslations('calendar_detail');
  const { manages } = usePermissions();
  const what = source.forwarding_address ? 'address' : 'calendar';
  const error = source.last_error;
  if (!source.enabled) {
    return (
      <Notice tone="info" title={t(`disabled_${what}`)}>
        {t(`meanwhile_${what}`)}
      </Notice>
    );
  }
  if (source.failing_since) {
    return (
      <Notice tone="danger" title={error}>
        {t.rich('it_has_not_worked_since', { time: () => <DateTime value={source.failing_since} zone={zone} /> })}
        {source.feed_url === null || !manages ? null : <ReplaceCalendarLinkForm source={source} />}
      </Notice>
    );
  }
  // CalendarQuestionsForHostCards shows these questions and their buttons.
  if (source.held || source.asked.length > 0) return null;
  return error ? <Notice tone="warning" title={error} /> : null;
}
