'use client';
/** Shows the changes that a run of the calendar would make now. */
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import type { SyncSource, SyncSourceDryRunResult } from '../types';
import { Button } from '../ui/button';
import { Dialog } from '../ui/overlay/dialog';
import { Skeleton } from '../ui/skeleton';
import { CalendarChangeList } from './change-list';
import { StaysAwaitingHostDecisionList } from './held-card';
import { AmbiguousCalendarEntriesPrompt } from './policy-select';

export function CalendarDryRunDialog({ source, onClose }: { source: SyncSource; onClose: () => void }) {
  const t = useTranslations('calendar_detail');
  const trpc = useTRPC();
  const { mutate, data, error, isPending } = useMutation(
    trpc.sync_sources.try_run.mutationOptions({ meta: { handlesError: true } }),
  );
  useEffect(() => mutate({ id: source.id }), [mutate, source.id]);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('what_would_the_next_run_do')}
      description={t('the_calendar_is_read_as_it_is_now')}
      dismissLabel={t('close')}
      footer={
        <Button pending={isPending} onClick={() => mutate({ id: source.id })}>
          {t('look_again')}
        </Button>
      }
    >
      <div aria-live="polite" aria-busy={isPending}>
        {isPending ? (
          <Skeleton className="h-24" />
        ) : error ? (
          <Notice tone="danger" title={toDisplayableError(error).message} />
        ) : data ? (
          <Found found={data} source={source} onAnswered={() => mutate({ id: source.id })} />
        ) : null}
      </div>
    </Dialog>
  );
}

function Found({
  found,
  source,
  onAnswered,
}: {
  found: SyncSourceDryRunResult;
  source: SyncSource;
  onAnswered: () => void;
}) {
  const trpc = useTRPC();
  const update = useMutation(trpc.sync_sources.update.mutationOptions());
  const t = useTranslations('calendar_detail');
  const health = useTranslations('calendar_health');
  if (!found.ok) {
    return (
      <Notice tone="danger" title={health('this_calendar_cannot_be_read')}>
        {found.message}
      </Notice>
    );
  }
  const { asks, asked, note, changes, changes_total } = found;
  return (
    <div className="grid gap-3">
      {source.enabled ? null : <Notice tone="info" title={t('no_run_comes_before_it_is_enabled')} />}
      {asks ? <Notice tone="warning" title={t('it_would_ask_you_about_this')} /> : null}
      {note && asked.length === 0 ? <Notice tone="warning" title={note} /> : null}
      {asked.map((ask) => (
        <section key={ask.key} className="rounded-lg border border-warning/40" aria-label={t(`asked_${ask.kind}`)}>
          <h3 className="px-5 pt-4 font-medium text-sm">{t(`asked_${ask.kind}`)}</h3>
          <StaysAwaitingHostDecisionList ask={ask} />
        </section>
      ))}
      {found.doubtful_total > 0 ? (
        <AmbiguousCalendarEntriesPrompt
          entries={found.doubtful}
          total={found.doubtful_total}
          pending={update.isPending ? (update.variables.doubtful ?? null) : null}
          onAnswer={(doubtful) => update.mutate({ id: source.id, doubtful }, { onSuccess: onAnswered })}
        />
      ) : null}
      {changes_total > 0 ? (
        <div className="-mx-5">
          <CalendarChangeList changes={changes} total={changes_total} />
        </div>
      ) : (
        <p className="text-ink-soft text-sm">{t('nothing_as_the_calendar_has_them')}</p>
      )}
    </div>
  );
}
