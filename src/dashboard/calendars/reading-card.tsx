'use client';
/**
 * Shows the entries that a calendar run did not understand, and the host's rules for reading
 * entries.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import type { SyncSource } from '../types';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Select } from '../ui/form/select';
import { toast } from '../ui/overlay/toaster';
import { AmbiguousCalendarEntriesPrompt, UnrecognizedEntryPolicySelect } from './policy-select';

type Rule = SyncSource['reading']['rules'][number];
/** The number of unrecognized entry texts to show at once. The host has to decide on each. */
const SHOWN = 20;

export function FeedEntryWordRulesCard({ source }: { source: SyncSource }) {
  const t = useTranslations('calendar_detail');
  const { rules } = source.reading;
  const unknown = useUnknown(source);
  const trpc = useTRPC();
  const set = useMutation(
    trpc.sync_sources.set_word_rule.mutationOptions({
      onSuccess: () => toast.success(t('remembered_with_the_next_run')),
    }),
  );
  const other = source.kind === 'other_ical';
  if (!other && rules.length === 0 && unknown.length === 0) return null;
  const pending = (words: string) => set.isPending && set.variables.words === words;
  return (
    <Card>
      <CardHeader title={t('what_is_a_booking')} description={t('what_you_say_of_an_entrys_words')} />
      {other ? <Policy source={source} /> : null}
      {other ? <Doubtful source={source} /> : null}
      {unknown.length > 0 ? (
        <div className="border-t">
          <h3 className="px-5 pt-4 font-medium text-sm">{t('entries_that_nobody_understands')}</h3>
          <ul className="divide-y divide-line" aria-label={t('entries_that_nobody_understands')}>
            {unknown.slice(0, SHOWN).map((words) => (
              <li key={words} className="flex flex-wrap items-center justify-between gap-2 px-5 py-3 text-sm">
                <span className="min-w-0 break-words font-medium">{words}</span>
                <span className="flex flex-wrap gap-2">
                  {(['booking', 'block'] as const).map((as) => (
                    <Button
                      key={as}
                      variant="secondary"
                      size="sm"
                      pending={pending(words) && set.variables?.as === as}
                      onClick={() => set.mutate({ id: source.id, words, match: 'whole', as })}
                    >
                      {t(`this_is_a_${as}`)}
                    </Button>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {rules.length > 0 ? (
        <ul className="divide-y divide-line border-t" aria-label={t('what_you_said_of_words')}>
          {rules.map((rule) => (
            <li
              key={`${rule.match} ${rule.words}`}
              className="flex flex-wrap items-center justify-between gap-2 px-5 py-3 text-sm"
            >
              <span className="min-w-0 break-words">
                <span className="font-medium">{rule.words}</span>
                <span className="ml-2 text-ink-soft">
                  {t(rule.match === 'whole' ? `whole_${rule.as}` : `contains_${rule.as}`)}
                </span>
              </span>
              <Button
                variant="ghost"
                size="sm"
                aria-label={t('forget_what_you_said_of', { words: rule.words })}
                pending={pending(rule.words)}
                onClick={() => set.mutate({ id: source.id, words: rule.words, match: rule.match, as: null })}
              >
                {t('forget')}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {other ? <WordsForm source={source} /> : null}
    </Card>
  );
}

/** Returns the distinct texts of the entries that the last run did not understand. */
function useUnknown({ id, reading }: SyncSource): string[] {
  const trpc = useTRPC();
  const runs = useQuery(trpc.sync_sources.runs.queryOptions({ id }, { refetchInterval: 10_000 }));
  const last = runs.data?.data.find(({ status }) => status === 'succeeded');
  const said = new Set(reading.rules.map(({ words }) => words));
  const words = (last?.skipped ?? []).flatMap(({ reason, summary }) =>
    reason === 'unknown_words' && summary && !said.has(summary) ? summary : [],
  );
  return [...new Set(words)];
}

/** Shows the entries that the last run skipped because they look like blocks. */
function Doubtful({ source }: { source: SyncSource }) {
  const trpc = useTRPC();
  const runs = useQuery(trpc.sync_sources.runs.queryOptions({ id: source.id }, { refetchInterval: 10_000 }));
  const update = useMutation(trpc.sync_sources.update.mutationOptions());
  const last = runs.data?.data.find(({ status }) => status === 'succeeded');
  const asked = (last?.skipped ?? []).flatMap(({ reason, summary, checkin_date, checkout_date }) =>
    reason === 'looks_like_block' && summary ? { summary, checkin_date, checkout_date } : [],
  );
  if (source.reading.doubtful || asked.length === 0) return null;
  return (
    <CardBody className="border-t">
      <AmbiguousCalendarEntriesPrompt
        entries={asked}
        total={asked.length}
        pending={update.isPending ? (update.variables.doubtful ?? null) : null}
        onAnswer={(doubtful) => update.mutate({ id: source.id, doubtful })}
      />
    </CardBody>
  );
}

function Policy({ source }: { source: SyncSource }) {
  const trpc = useTRPC();
  const update = useMutation(trpc.sync_sources.update.mutationOptions());
  return (
    <CardBody>
      <UnrecognizedEntryPolicySelect
        value={source.reading.otherwise}
        disabled={update.isPending}
        onChange={(otherwise) => update.mutate({ id: source.id, otherwise })}
      />
    </CardBody>
  );
}

function WordsForm({ source }: { source: SyncSource }) {
  const t = useTranslations('calendar_detail');
  const [words, setWords] = useState('');
  const [as, setAs] = useState<Rule['as']>('booking');
  const trpc = useTRPC();
  const set = useMutation(
    trpc.sync_sources.set_word_rule.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => setWords(''),
    }),
  );
  return (
    <form
      className="flex flex-wrap items-end gap-3 border-t bg-muted/40 px-5 py-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim()) set.mutate({ id: source.id, words: words.trim(), match: 'contains', as });
      }}
    >
      <div className="min-w-0 basis-48 grow">
        <Field
          label={t('entries_with_these_words')}
          error={set.error ? toDisplayableError(set.error).message : undefined}
        >
          {(control) => (
            <Input {...control} maxLength={255} value={words} onChange={(event) => setWords(event.target.value)} />
          )}
        </Field>
      </div>
      <div className="basis-40">
        <Field label={t('count_as')}>
          {(control) => (
            <Select
              {...control}
              value={as}
              options={(['booking', 'block'] as const).map((value) => ({ value, label: t(`as_${value}`) }))}
              onValueChange={(value) => setAs(value as Rule['as'])}
            />
          )}
        </Field>
      </div>
      <Button type="submit" variant="secondary" pending={set.isPending}>
        {t('add')}
      </Button>
    </form>
  );
}
