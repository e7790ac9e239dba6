'use client';
import { CalendarSync, Inbox, Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Notice } from '../developers/notice';
import { ListCard } from '../list-card';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { later } from '../ui/later';
import { Link } from '../ui/link';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';
import { countOf, KIND_LABELS } from './labels';
import { type Source, useSources } from './queries';
import { SourceBadge } from './source-badge';

// Each is loaded when somebody asks for it.
const ConnectDialog = later(() => import('./connect-dialog').then((file) => file.ConnectDialog));

const columns: Column<Source>[] = [
  { id: 'kind', header: 'Source', cell: ({ row }) => KIND_LABELS[row.original.kind] },
  { id: 'property', header: 'Property', cell: ({ row }) => row.original.property_name },
  { id: 'health', header: 'State', cell: ({ row }) => <SourceBadge source={row.original} /> },
  {
    id: 'last',
    header: 'Last run',
    cell: ({ row }) => (
      <span className="relative z-10">
        <DateTime value={row.original.last_synced_at} />
      </span>
    ),
  },
  {
    id: 'error',
    header: 'Last problem',
    cell: ({ row }) => <span className="line-clamp-2 max-w-sm text-ink-soft">{row.original.last_error ?? '–'}</span>,
  },
];

const card = (row: Source) => (
  <div className="grid gap-1.5">
    <div className="flex items-center justify-between gap-3">
      <span className="font-medium">{KIND_LABELS[row.kind]}</span>
      <SourceBadge source={row} />
    </div>
    <span className="text-sm">{row.property_name}</span>
    {row.last_error ? <span className="line-clamp-2 text-ink-soft text-sm">{row.last_error}</span> : null}
  </div>
);

export function CalendarList() {
  const sources = useSources();
  const router = useRouter();
  const [connecting, setConnecting] = useState(false);
  const waiting = (sources.data?.data ?? []).reduce((sum, source) => sum + source.waiting_mails, 0);
  const connect = (
    <Button onClick={() => setConnecting(true)}>
      <Plus aria-hidden />
      Connect
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Calendar feeds"
        description="Channels’ calendars and forwarded mail that create reservations by themselves."
        actions={
          <>
            <Button asChild variant="secondary">
              <Link href={paths.inbox}>
                <Inbox aria-hidden />
                Inbox
              </Link>
            </Button>
            {connect}
          </>
        }
      />
      {waiting > 0 ? (
        <Notice
          className="mb-5"
          tone="warning"
          title={waiting === 1 ? '1 mail waits for you.' : `${countOf(waiting, 'mail', 'mails')} wait for you.`}
          actions={
            <Button asChild variant="secondary" size="sm">
              <Link href={paths.inbox}>Open the inbox</Link>
            </Button>
          }
        >
          It could not be applied by itself. Look at it and complete what is missing.
        </Notice>
      ) : null}
      <ListCard
        query={sources}
        rows={sources.data?.data}
        columns={columns}
        label="Calendars"
        href={(row) => paths.calendar(row.id)}
        card={card}
        empty={
          <EmptyState icon={CalendarSync} title="No calendar feeds yet" action={connect}>
            Connect a booking channel’s calendar and its bookings arrive as reservations, ready to be sent. Forward the
            channel’s confirmation mails as well, and their guests’ names and addresses come along.
          </EmptyState>
        }
      />
      {connecting ? (
        <ConnectDialog
          onClose={() => setConnecting(false)}
          onConnected={(source) => router.push(paths.calendar(source.id))}
        />
      ) : null}
    </>
  );
}
