'use client';
import dynamic from 'next/dynamic';
import { Notice } from '../developers/notice';
import { DetailSkeleton, NotFoundOrError } from '../not-found-or-error';
import { paths } from '../paths';
import { useProperty } from '../properties/queries';
import { Card, CardBody, CardHeader, Facts } from '../ui/card';
import { CopyableId, CopyField } from '../ui/copy-field';
import { DateTime } from '../ui/date-time';
import { keepTrying } from '../ui/later';
import { PageHeader } from '../ui/page-header';
import { KIND_LABELS } from './labels';
import { ClosuresSwitch } from './policy-select';
import { type Source, useSource, useUpdateSource } from './queries';
import { SourceActions } from './source-actions';
import { SourceBadge } from './source-badge';

// Only the one that is shown is loaded.
const RunList = dynamic(() => keepTrying(() => import('./run-list').then((file) => file.RunList)));

// Only the one that is shown is loaded.
const ForwardingInstructions = dynamic(() =>
  keepTrying(() => import('./forwarding-instructions').then((file) => file.ForwardingInstructions)),
);
const HeldCard = dynamic(() => keepTrying(() => import('./held-card').then((file) => file.HeldCard)));
const ReadingCard = dynamic(() => keepTrying(() => import('./reading-card').then((file) => file.ReadingCard)));
const StayList = dynamic(() => keepTrying(() => import('./stay-list').then((file) => file.StayList)));
const MailList = dynamic(() => keepTrying(() => import('./mail-list').then((file) => file.MailList)));

const back = { href: paths.calendars, label: 'Calendar feeds' };

export function SourcePage({ id }: { id: string }) {
  const source = useSource(id);
  if (source.data) return <Loaded source={source.data} />;
  return (
    <>
      <PageHeader back={back} title={source.error ? 'Calendar' : null} />
      {source.error ? (
        <NotFoundOrError
          error={source.error}
          noun="calendar"
          missing="It was removed, or belongs to the other mode."
          list={{ href: paths.calendars, label: 'All calendars' }}
          onRetry={() => void source.refetch()}
        />
      ) : (
        <DetailSkeleton />
      )}
    </>
  );
}

function Loaded({ source }: { source: Source }) {
  const property = useProperty(source.property_id);
  const zone = property.data?.timezone;
  const calendar = source.forwarding_address === null;
  return (
    <>
      <PageHeader
        back={back}
        title={KIND_LABELS[source.kind]}
        description={source.property_name}
        badge={<SourceBadge source={source} />}
        actions={<SourceActions source={source} />}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Notices source={source} zone={zone} />
        {source.enabled ? <HeldCard source={source} zone={zone} /> : null}
        {source.forwarding_address ? <ForwardingInstructions address={source.forwarding_address} /> : null}
        <Card>
          <CardHeader title={calendar ? 'Calendar' : 'Address'} />
          <CardBody className="grid gap-5">
            {source.feed_url ? <CopyField value={source.feed_url} label="calendar link" /> : null}
            <Facts
              items={[
                { label: 'Id', value: <CopyableId value={source.id} /> },
                { label: 'Connected', value: <DateTime value={source.created_at} zone={zone} /> },
                {
                  label: calendar ? 'Last run' : 'Last mail',
                  value: <DateTime value={source.last_synced_at} zone={zone} />,
                },
                ...(calendar
                  ? [{ label: 'Next run', value: <DateTime value={source.next_run_at} zone={zone} /> }]
                  : []),
              ]}
            />
            {source.kind === 'channel_c_ical' ? <Closures source={source} /> : null}
          </CardBody>
        </Card>
        {calendar ? <ReadingCard source={source} /> : null}
        <StayList source={source} />
        {calendar ? <RunList source={source} zone={zone} /> : <MailList source_id={source.id} waiting={false} />}
      </div>
    </>
  );
}

function Closures({ source }: { source: Source }) {
  const update = useUpdateSource();
  return (
    <div className="border-t pt-5">
      <ClosuresSwitch
        checked={source.closures_are_blocks}
        disabled={update.isPending}
        onChange={(closures_are_blocks) => update.mutate({ id: source.id, closures_are_blocks })}
      />
    </div>
  );
}

function Notices({ source, zone }: { source: Source; zone: string | null | undefined }) {
  if (!source.enabled) {
    return (
      <Notice
        tone="info"
        title={source.forwarding_address ? 'This address is disabled.' : 'This calendar is disabled.'}
      >
        {source.forwarding_address
          ? 'Mail that comes waits in the inbox.'
          : 'Its reservations stay as they are; nothing new comes until you enable it.'}
      </Notice>
    );
  }
  if (source.failing_since) {
    return (
      <Notice tone="danger" title={source.last_error}>
        It has not worked since <DateTime value={source.failing_since} zone={zone} />. Reservations stay as they are,
        and nothing is cancelled meanwhile.
      </Notice>
    );
  }
  // The card says it with what can be done.
  if (source.held) return null;
  return source.last_error ? <Notice tone="warning" title={source.last_error} /> : null;
}
