'use client';
import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { ListCard } from '../list-card';
import { paths } from '../paths';
import { type Outputs, useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';

type SmsMessage = Outputs['sms_messages']['list']['data'][number];

const State = ({ row }: { row: SmsMessage }) => (row.status ? <Badge>{row.status}</Badge> : <span>–</span>);

const columns: Column<SmsMessage>[] = [
  { id: 'to', header: 'To', cell: ({ row }) => <span className="font-mono text-xs">{row.original.to ?? '–'}</span> },
  {
    id: 'body',
    header: 'Message',
    cell: ({ row }) => <span className="block max-w-96 truncate">{row.original.body}</span>,
  },
  { id: 'status', header: 'Status', cell: ({ row }) => <State row={row.original} /> },
  { id: 'delivered', header: 'Delivered', cell: ({ row }) => <DateTime value={row.original.delivered_at} /> },
  { id: 'created', header: 'Created', cell: ({ row }) => <DateTime value={row.original.created_at} /> },
];

const card = (row: SmsMessage) => (
  <div className="grid gap-1.5 text-sm">
    <span className="flex items-center justify-between gap-3">
      <span className="font-mono text-xs">{row.to ?? '–'}</span>
      <State row={row} />
    </span>
    <span className="break-words">{row.body}</span>
    <span className="text-ink-soft">
      <DateTime value={row.created_at} />
    </span>
  </div>
);

/** The log of text messages. Nothing sends any yet; the page says what will. */
export function SmsLog() {
  const trpc = useTRPC();
  const messages = useQuery(trpc.sms_messages.list.queryOptions({ limit: 100 }));
  return (
    <>
      <PageHeader
        back={{ href: paths.outbox, label: 'Outbox' }}
        title="SMS log"
        badge={<Badge tone="info">Coming</Badge>}
        description="Text messages to guests, as they were sent and delivered."
      />
      <ListCard
        query={messages}
        rows={messages.data?.data}
        columns={columns}
        label="SMS messages"
        card={card}
        empty={
          <EmptyState
            icon={MessageSquareText}
            title="No text messages yet"
            action={
              <Button asChild variant="secondary">
                <a href={paths.docs_reference}>See it in the API reference</a>
              </Button>
            }
          >
            <p>
              Today guests get e-mail alone. When SMS delivery ships, reminders and links to sign can go to a guest’s
              phone, and each message appears here with its text, its state and when the carrier confirmed it.
            </p>
            <p className="mt-3">
              The API’s <code className="font-mono text-xs">GET /v1/sms_messages</code> answers the same list already,
              so what you build on it today goes on working.
            </p>
          </EmptyState>
        }
      />
    </>
  );
}
