'use client';
import { Download, FileClock, LockKeyhole } from 'lucide-react';
import { AUDIT_ACTION_NAMES, actionWords } from '@/modules/audit-log/actions';
import { cursorInput, oneOf, writeQuery } from '../../list/cursor';
import { FilterDate, FilterSelect } from '../../list/filter-bar';
import { FilteredList } from '../../list/filtered-list';
import { useListUrl } from '../../list/list-url';
import { paths } from '../../paths';
import { useMe } from '../../shell/me';
import { Button } from '../../ui/button';
import { Card, CardHeader } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import type { Column } from '../../ui/table/data-table';
import { type AuditEntry, useAuditActors, useAuditLog } from './queries';
import { What } from './what';

const who = (entry: AuditEntry) => entry.actor_name ?? entry.actor;

const columns: Column<AuditEntry>[] = [
  {
    id: 'who',
    header: 'Who',
    cell: ({ row }) => <span className="block max-w-40 truncate font-medium">{who(row.original)}</span>,
  },
  { id: 'what', header: 'What', cell: ({ row }) => <What entry={row.original} /> },
  {
    id: 'when',
    header: 'When',
    cell: ({ row }) => (
      <span className="whitespace-nowrap">
        <DateTime value={row.original.created_at} seconds />
      </span>
    ),
  },
  {
    id: 'where',
    header: 'From',
    cell: ({ row }) => <span className="break-all font-mono text-xs">{row.original.ip ?? '–'}</span>,
  },
];

const card = (entry: AuditEntry) => (
  <div className="grid gap-1.5 text-sm">
    <What entry={entry} />
    <span className="text-ink-soft">
      {who(entry)}
      {entry.ip ? <span className="font-mono text-xs"> · {entry.ip}</span> : null}
    </span>
    <span className="text-ink-soft">
      <DateTime value={entry.created_at} seconds />
    </span>
  </div>
);

const ACTIONS = AUDIT_ACTION_NAMES.map((value) => ({ value, label: actionWords(value) }));
const FILTERS = ['actor', 'action', 'from', 'to'] as const;

/** Who did what, when, from where. The owner's alone: it tells from where colleagues signed in. */
export function AuditLogTab() {
  const owner = useMe().user.role === 'owner';
  const list = useListUrl(FILTERS);
  const { values, cursor, set } = list;
  const filters = { ...values, action: oneOf(AUDIT_ACTION_NAMES, values.action) };
  const log = useAuditLog({ limit: 25, ...filters, ...cursorInput(cursor) }, owner);
  const actors = useAuditActors(owner);
  if (!owner) {
    return (
      <Card>
        <EmptyState icon={LockKeyhole} title="The audit log is for owners">
          It tells from where your colleagues signed in. Ask an owner of the account.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card>
      <CardHeader
        title="Audit log"
        description="Who did what, when and from where, in live and test mode."
        actions={
          <Button asChild variant="secondary">
            <a href={`${paths.audit_log_csv}?${writeQuery(filters)}`} download>
              <Download aria-hidden />
              Export CSV
            </a>
          </Button>
        }
      />
      <FilteredList
        list={list}
        noun={['entry', 'entries']}
        filters={
          <>
            <FilterSelect
              label="Who"
              any="Anyone"
              className="sm:w-44"
              value={values.actor}
              options={(actors.data ?? []).map(({ actor, name }) => ({ value: actor, label: name }))}
              onChange={(actor) => set({ actor })}
            />
            <FilterSelect
              label="Action"
              any="Any action"
              className="sm:w-60"
              value={values.action}
              options={ACTIONS}
              onChange={(action) => set({ action })}
            />
            <FilterDate label="From day (UTC)" value={values.from} max={values.to} onChange={(from) => set({ from })} />
            <FilterDate label="To day (UTC)" value={values.to} min={values.from} onChange={(to) => set({ to })} />
          </>
        }
        query={log}
        columns={columns}
        label="Audit log"
        card={card}
        empty={
          <EmptyState icon={FileClock} title="Nothing has been noted yet">
            Signing in, members, API keys, webhook secrets, legal hold and redaction: each leaves an entry here, which
            nobody can change.
          </EmptyState>
        }
      />
    </Card>
  );
}
