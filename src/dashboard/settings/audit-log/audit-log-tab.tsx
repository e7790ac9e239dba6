'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download, FileClock, LockKeyhole } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { AUDIT_ACTION_NAMES } from '@/modules/audit-log/actions';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import { buildListInputFromCursor, pickAllowedValue } from '../../list/cursor';
import { DateFilter, SelectFilter } from '../../list/filter-bar';
import { FilteredList } from '../../list/filtered-list';
import { useListUrl } from '../../list/list-url';
import { paths } from '../../paths';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { AuditLogEntry } from '../../types';
import { Card, CardHeader } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { AnchorButton } from '../../ui/link-button';
import type { Column } from '../../ui/table/data-table';
import { AuditEntrySummary, useAuditActionLabel } from './audit-entry';

const who = (entry: AuditLogEntry) => entry.actor_name ?? entry.actor;

const columnsOf = (t: NamespaceTranslator<'settings'>): Column<AuditLogEntry>[] => [
  {
    id: 'who',
    header: t('who'),
    cell: (row) => <span className="block max-w-40 truncate font-medium">{who(row)}</span>,
  },
  { id: 'what', header: t('what'), cell: (row) => <AuditEntrySummary entry={row} /> },
  {
    id: 'when',
    header: t('when'),
    cell: (row) => (
      <span className="whitespace-nowrap">
        <DateTime value={row.created_at} seconds />
      </span>
    ),
  },
  {
    id: 'where',
    header: t('from'),
    cell: (row) => <span className="break-all font-mono text-xs">{row.ip ?? '–'}</span>,
  },
];

const card = (entry: AuditLogEntry) => (
  <div className="grid gap-1.5 text-sm">
    <AuditEntrySummary entry={entry} />
    <span className="text-ink-soft">
      {who(entry)}
      {entry.ip ? <span className="font-mono text-xs"> · {entry.ip}</span> : null}
    </span>
    <span className="text-ink-soft">
      <DateTime value={entry.created_at} seconds />
    </span>
  </div>
);

const FILTERS = ['actor', 'action', 'from', 'to'] as const;

/**
 * Lists actions of members with time and IP address. Only owners see the log, because it shows
 * where colleagues signed in.
 */
export function AuditLogTab() {
  const t = useTranslations('settings');
  const me = useMe();
  const owner = me.user.role === 'owner';
  const list = useListUrl(FILTERS);
  const { values, cursor, set } = list;
  const words = useAuditActionLabel();
  const filters = { ...values, action: pickAllowedValue(AUDIT_ACTION_NAMES, values.action) };
  const trpc = useTRPC();
  // Always refetched, so that the log includes actions from a moment ago.
  const log = useQuery(
    trpc.audit_log.list.queryOptions(
      { limit: 25, ...filters, ...buildListInputFromCursor(cursor) },
      { placeholderData: keepPreviousData, enabled: owner, staleTime: 0 },
    ),
  );
  const actors = useQuery(trpc.audit_log.actors.queryOptions(undefined, { enabled: owner, staleTime: 0 }));
  if (!owner) {
    return (
      <Card>
        <EmptyState icon={LockKeyhole} title={t('the_audit_log_is_for_owners')}>
          {t('it_tells_from_where_your_colleagues_signed')}
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card>
      <CardHeader
        title={t('audit_log')}
        description={t('who_did_what_when_and_from_where')}
        actions={
          <AnchorButton variant="secondary" href={paths.audit_log_csv(me, filters)} download>
            <Download aria-hidden />
            {t('export_csv')}
          </AnchorButton>
        }
      />
      <FilteredList
        list={list}
        noun={[t('entry_2'), t('entries_2')]}
        filters={
          <>
            <SelectFilter
              label={t('who')}
              any={t('anyone')}
              className="sm:w-44!"
              value={values.actor}
              options={(actors.data ?? []).map(({ actor, name }) => ({ value: actor, label: name }))}
              onChange={(actor) => set({ actor })}
            />
            <SelectFilter
              label={t('action')}
              any={t('any_action')}
              className="sm:w-60!"
              value={values.action}
              options={AUDIT_ACTION_NAMES.map((value) => ({ value, label: words(value) }))}
              onChange={(action) => set({ action })}
            />
            <DateFilter
              label={t('from_day_utc')}
              value={values.from}
              max={values.to}
              onChange={(from) => set({ from })}
            />
            <DateFilter label={t('to_day_utc')} value={values.to} min={values.from} onChange={(to) => set({ to })} />
          </>
        }
        query={log}
        columns={columnsOf(t)}
        label={t('audit_log')}
        card={card}
        empty={
          <EmptyState icon={FileClock} title={t('nothing_has_been_noted_yet')}>
            {t('signing_in_members_api_keys_webhook_secrets')}
          </EmptyState>
        }
      />
    </Card>
  );
}
