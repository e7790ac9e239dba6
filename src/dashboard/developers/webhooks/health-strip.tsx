'use client';
import { readError } from '../../read-error';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { cn } from '../../ui/cn';
import { ErrorPanel } from '../../ui/error-panel';
import { Skeleton } from '../../ui/skeleton';
import { type EndpointHistory, useEndpointHistory } from './queries';

/** The last seven days: a bar for every six hours, accepted attempts below, failed ones on top. */
export function HealthStrip({ id }: { id: string }) {
  const history = useEndpointHistory(id);
  return (
    <Card>
      <CardHeader title="Last seven days" />
      <CardBody>
        {history.data ? <Strip history={history.data} /> : null}
        {history.isPending ? <Skeleton className="h-32" /> : null}
        {history.error && !history.data ? (
          <ErrorPanel
            title="The history could not be loaded"
            message={readError(history.error).message}
            requestId={readError(history.error).request_id}
            onRetry={() => void history.refetch()}
          />
        ) : null}
      </CardBody>
    </Card>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const hour = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', timeZone: 'UTC' });

function Strip({ history }: { history: EndpointHistory }) {
  const { buckets, median_ms, p95_ms } = history;
  const succeeded = buckets.reduce((sum, bucket) => sum + bucket.succeeded, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  const most = Math.max(1, ...buckets.map((bucket) => bucket.succeeded + bucket.failed));
  const share = (count: number) => (count === 0 ? '0' : `max(3px, ${(count / most) * 100}%)`);
  const first = buckets[0];
  const rate = succeeded + failed > 0 ? `${Math.floor((succeeded / (succeeded + failed)) * 100)} %` : '–';
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-3 gap-3 text-sm">
        <Figure label="Accepted" value={rate} />
        <Figure label="Attempts" value={String(succeeded + failed)} />
        <Figure
          label="Answers in"
          value={median_ms === null ? '–' : `${median_ms} ms`}
          note={p95_ms === null ? undefined : `95 % within ${p95_ms} ms`}
        />
      </dl>
      <div
        role="img"
        aria-label={`Attempts of the last seven days: ${succeeded} accepted, ${failed} failed.`}
        className="grid gap-1"
      >
        <div className="flex h-20 items-end gap-0.5">
          {buckets.map((bucket) => (
            <div
              key={bucket.from}
              title={`${hour.format(new Date(bucket.from))} UTC: ${bucket.succeeded} accepted, ${bucket.failed} failed`}
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
          <span>Now</span>
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
