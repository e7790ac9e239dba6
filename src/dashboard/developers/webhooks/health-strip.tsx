'use client';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { useFormattingLocale } from '../../i18n/formats';
import { QueryErrorPanel } from '../../query-error';
import { useTRPC } from '../../trpc';
import type { WebhookEndpointHistory } from '../../types';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { cn } from '../../ui/cn';
import { Skeleton } from '../../ui/skeleton';

/**
 * A chart of the last seven days, with one bar for every six hours. Failed attempts are on top of
 * accepted attempts.
 */
export function EndpointHealthChart({ id }: { id: string }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const history = useQuery(trpc.webhook_endpoints.history.queryOptions({ id }, { refetchInterval: 30_000 }));
  return (
    <Card>
      <CardHeader title={t('last_seven_days')} />
      <CardBody>
        {history.data ? <Strip history={history.data} /> : null}
        {history.isPending ? <Skeleton className="h-32" /> : null}
        {history.error && !history.data ? (
          <QueryErrorPanel title={t('the_history_could_not_be_loaded')} query={history} />
        ) : null}
      </CardBody>
    </Card>
  );
}

function Strip({ history }: { history: WebhookEndpointHistory }) {
  const t = useTranslations('webhooks');
  const formats = useFormattingLocale();
  const day = new Intl.DateTimeFormat(formats, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const hour = new Intl.DateTimeFormat(formats, { day: 'numeric', month: 'short', hour: '2-digit', timeZone: 'UTC' });
  const { buckets, median_ms, p95_ms } = history;
  const succeeded = buckets.reduce((sum, bucket) => sum + bucket.succeeded, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  const most = Math.max(1, ...buckets.map((bucket) => bucket.succeeded + bucket.failed));
  const share = (count: number) => (count === 0 ? '0' : `max(3px, ${(count / most) * 100}%)`);
  const first = buckets[0];
  const attempts = succeeded + failed;
  const rate = attempts > 0 ? t('percent', { share: Math.floor((succeeded / attempts) * 100) }) : '–';
  const counts = (of: { succeeded: number; failed: number }) => ({
    accepted: t('count_accepted', { count: of.succeeded }),
    failed: t('count_failed', { count: of.failed }),
  });
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-3 gap-3 text-sm">
        <Figure label={t('accepted')} value={rate} />
        <Figure label={t('attempts')} value={String(attempts)} />
        <Figure
          label={t('answers_in')}
          value={median_ms === null ? '–' : `${median_ms} ms`}
          note={p95_ms === null ? undefined : t('most_within', { time: `${p95_ms} ms` })}
        />
      </dl>
      <div
        role="img"
        aria-label={t('attempts_of_the_last_seven_days', counts({ succeeded, failed }))}
        className="grid gap-1"
      >
        <div className="flex h-20 items-end gap-0.5">
          {buckets.map((bucket) => (
            <div
              key={bucket.from}
              title={t('at_time', { time: hour.format(new Date(bucket.from)), ...counts(bucket) })}
              className={cn(
                'flex h-full flex-1 flex-col justify-end overflow-hidden rounded-[2px]',
                bucket.succeeded + bucket.failed === 0 && 'border-line-strong border-b',
              )}
            >
              <div className="bg-danger" style={{ height: share(bucket.failed) }} />
              <div className="bg-success" style={{ height: share(bucket.succeeded) }} />
            </div>
          ))}
        </div>
        <div className="flex justify-between text-ink-soft text-xs">
          <span>{first ? day.format(new Date(first.from)) : ''}</span>
          <span>{t('now')}</span>
        </div>
      </div>
    </div>
  );
}

function Figure({ label, value, note }: { label: string; value: string; note?: string }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-ink-soft text-xs">{label}</dt>
      <dd className="grid gap-0.5">
        <span className="font-semibold tabular-nums">{value}</span>
        {note ? <span className="text-ink-soft text-xs">{note}</span> : null}
      </dd>
    </div>
  );
}
