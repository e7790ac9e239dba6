'use client';
import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { ListCard } from '../list-card';
import { paths } from '../paths';
import { type ProcedureOutputs, useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { AnchorButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';

type SmsMessage = ProcedureOutputs['sms_messages']['list']['data'][number];

const State = ({ row }: { row: SmsMessage }) => (row.status ? <Badge>{row.status}</Badge> : <span>–</span>);

const columnsOf = (t: NamespaceTranslator<'sms'>): Column<SmsMessage>[] => [
  { id: 'to', header: t('to'), cell: (row) => <span className="font-mono text-xs">{row.to ?? '–'}</span> },
  {
    id: 'body',
    header: t('message'),
    cell: (row) => <span className="block max-w-96 truncate">{row.body}</span>,
  },
  { id: 'status', header: t('status'), cell: (row) => <State row={row} /> },
  { id: 'delivered', header: t('delivered'), cell: (row) => <DateTime value={row.delivered_at} /> },
  { id: 'created', header: t('created'), cell: (row) => <DateTime value={row.created_at} /> },
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

/**
 * The log of text messages. It is always empty, because the product does not send text messages
 * yet.
 */
export function SmsLog() {
  const t = useTranslations('sms');
  const trpc = useTRPC();
  const messages = useQuery(trpc.sms_messages.list.queryOptions({ limit: 100 }));
  return (
    <>
      <PageHeader
        back={{ href: paths.outbox, label: t('outbox') }}
        title={t('sms_log')}
        badge={<Badge tone="info">{t('coming')}</Badge>}
        description={t('text_messages_to_guests_as_they_were')}
      />
      <ListCard
        query={messages}
        rows={messages.data?.data}
        columns={columnsOf(t)}
        label={t('sms_messages')}
        card={card}
        empty={
          <EmptyState
            icon={MessageSquareText}
            title={t('no_text_messages_yet')}
            action={
              <AnchorButton variant="secondary" href={paths.docs_reference}>
                {t('see_it_in_the_api_reference')}
              </AnchorButton>
            }
          >
            <p>{t('today_guests_get_e_mail_alone_when')}</p>
            <p className="mt-3">
              {t.rich('the_apis_answers_the_same_list_already', {
                code: () => <code className="font-mono text-xs">GET /v1/sms_messages</code>,
              })}
            </p>
          </EmptyState>
        }
      />
    </>
  );
}
