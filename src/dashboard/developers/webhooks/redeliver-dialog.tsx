'use client';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../../read-error';
import { type ProcedureOutputs, type ProcedureQueryResult, useTRPC } from '../../trpc';
import type { WebhookEndpointDetail } from '../../types';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';

/** Returns the value of a `datetime-local` field in the browser's time zone. */
function localValue(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PRESETS = [
  { name: 'hour', ms: HOUR_MS },
  { name: 'day', ms: 24 * HOUR_MS },
  { name: 'week', ms: 7 * 24 * HOUR_MS },
] as const;

/** Redelivers every event since a given time that the endpoint has not accepted. */
export function RedeliverFailedDialog({ endpoint, onClose }: { endpoint: WebhookEndpointDetail; onClose: () => void }) {
  const t = useTranslations('webhooks');
  const [text, setText] = useState(() =>
    localValue(
      // Starts ten minutes before the first failure, because an event occurs before its delivery
      // fails.
      new Date(
        endpoint.failing_since ? Date.parse(endpoint.failing_since) - 10 * MINUTE_MS : Date.now() - 24 * HOUR_MS,
      ),
    ),
  );
  const since = useMemo(() => {
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : new Date(at).toISOString();
  }, [text]);
  const trpc = useTRPC();
  const found = useQuery(
    trpc.webhook_endpoints.count_failed.queryOptions(
      { id: endpoint.id, since: since ?? '' },
      { enabled: since !== null, staleTime: 0, placeholderData: keepPreviousData },
    ),
  );
  const redeliver = useMutation(
    trpc.webhook_endpoints.redeliver_failed.mutationOptions({
      onSuccess: ({ events }) => {
        toast.success(t('are_queued_again', { count: events }));
        onClose();
      },
    }),
  );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('redeliver_failed_events')}
      description={t('every_event_not_taken')}
      dismissLabel={t('not_now')}
      footer={
        <Button
          disabled={!since || !found.data?.events}
          pending={redeliver.isPending}
          onClick={() => since && redeliver.mutate({ id: endpoint.id, since })}
        >
          {t('send_them_again')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <Field label={t('since')} hint={t('on_this_computers_clock')}>
          {(control) => (
            <Input {...control} type="datetime-local" value={text} onChange={(event) => setText(event.target.value)} />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          {PRESETS.map((preset) => (
            <Button
              key={preset.name}
              variant="secondary"
              size="sm"
              onClick={() => setText(localValue(new Date(Date.now() - preset.ms)))}
            >
              {t(`preset_${preset.name}`)}
            </Button>
          ))}
        </div>
        <p aria-live="polite" className="text-sm">
          <Found since={since} count={found} waiting={endpoint.waiting} />
        </p>
        {endpoint.status === 'enabled' ? null : (
          <p className="text-ink-soft text-sm">{t('they_wait_until_it_is_enabled')}</p>
        )}
      </div>
    </Dialog>
  );
}

interface FoundProps {
  since: string | null;
  count: ProcedureQueryResult<ProcedureOutputs['webhook_endpoints']['count_failed']>;
  /** The number of attempts that are already queued. */
  waiting: number;
}

function Found({ since, count, waiting }: FoundProps) {
  const t = useTranslations('webhooks');
  if (!since) return t('choose_a_time');
  if (count.error) return <span className="text-danger">{toDisplayableError(count.error).message}</span>;
  if (!count.data) return <span className="text-ink-soft">{t('counting')}</span>;
  const { events, more } = count.data;
  if (events === 0) return waiting > 0 ? t('nothing_else_is_missing', { count: waiting }) : t('nothing_is_missing');
  return more ? t('more_than_would_be_sent', { events }) : t('would_be_sent_again', { count: events });
}
