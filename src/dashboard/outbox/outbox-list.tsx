'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LayoutTemplate, Mail as MailIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { buildListInputFromCursor, pickAllowedValue } from '../list/cursor';
import { SelectFilter } from '../list/filter-bar';
import { FilteredList } from '../list/filtered-list';
import { useListUrl } from '../list/list-url';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import type { ListedOutboxMail } from '../types';
import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';
import { MailStatusBadge, OUTBOX_MAIL_STATUSES } from './mail-badge';
import { useMailTemplates } from './use-templates';

type Row = ListedOutboxMail & { kind: string };

const columnsOf = (t: NamespaceTranslator<'outbox'>): Column<Row>[] => [
  {
    id: 'subject',
    header: t('subject'),
    cell: (row) => <span className="block max-w-72 truncate">{row.subject}</span>,
  },
  {
    id: 'to',
    header: t('to'),
    cell: (row) => <span className="block max-w-56 truncate">{row.to}</span>,
  },
  { id: 'kind', header: t('mail'), cell: (row) => <span className="whitespace-nowrap">{row.kind}</span> },
  {
    id: 'state',
    header: t('state'),
    cell: (row) => (
      <div className="grid justify-items-start gap-1">
        <MailStatusBadge mail={row} />
        {row.last_error ? <span className="block max-w-56 truncate text-danger text-xs">{row.last_error}</span> : null}
      </div>
    ),
  },
  {
    id: 'when',
    header: t('when'),
    cell: (row) => (
      <span className="whitespace-nowrap">
        <DateTime value={row.created_at} />
      </span>
    ),
  },
];

const card = (row: Row) => (
  <div className="grid gap-1.5">
    <div className="flex items-start justify-between gap-3">
      <span className="min-w-0 break-words font-medium text-sm">{row.subject}</span>
      <MailStatusBadge mail={row} />
    </div>
    <span className="break-all text-sm">{row.to}</span>
    {row.last_error ? <span className="line-clamp-2 break-words text-danger text-xs">{row.last_error}</span> : null}
    <span className="text-ink-soft text-sm">
      {row.kind} · <DateTime value={row.created_at} />
    </span>
  </div>
);

const FILTERS = ['status', 'template', 'reservation'] as const;

export function OutboxList() {
  const t = useTranslations('outbox');
  const columns = useMemo(() => columnsOf(t), [t]);
  const list = useListUrl(FILTERS);
  const { values, cursor, set } = list;
  const templates = useMailTemplates();
  const { status, template, reservation } = values;
  const trpc = useTRPC();
  const outbox = useQuery(
    trpc.mail.list.queryOptions(
      {
        limit: 25,
        status: pickAllowedValue(OUTBOX_MAIL_STATUSES, status),
        template,
        reservation,
        ...buildListInputFromCursor(cursor),
      },
      { placeholderData: keepPreviousData, refetchInterval: 10_000 },
    ),
  );
  const page = useMemo(() => {
    const labels = new Map(templates.data?.map(({ name, label }) => [name, label]));
    return (
      outbox.data && {
        ...outbox.data,
        data: outbox.data.data.map((mail): Row => ({ ...mail, kind: labels.get(mail.template) ?? mail.template })),
      }
    );
  }, [outbox.data, templates.data]);
  return (
    <>
      <PageHeader
        title={t('outbox')}
        help="emails"
        description={t('every_mail_to_your_guests_and_to')}
        actions={
          <>
            <LinkButton variant="ghost" href={paths.sms}>
              {t('sms_log')}
            </LinkButton>
            <LinkButton variant="secondary" href={paths.mail_templates}>
              <LayoutTemplate aria-hidden />
              {t('templates')}
            </LinkButton>
          </>
        }
      />
      <Card>
        <FilteredList
          list={list}
          noun={[t('mail_2'), t('mails_2')]}
          filters={
            <>
              <SelectFilter
                label={t('state')}
                any={t('any_state')}
                value={status}
                options={OUTBOX_MAIL_STATUSES.map((value) => ({ value, label: t(`state_${value}`) }))}
                onChange={(next) => set({ status: next })}
              />
              <SelectFilter
                label={t('mail')}
                any={t('any_mail')}
                className="sm:w-56!"
                value={template}
                options={(templates.data ?? [])
                  .filter(({ audience }) => audience !== 'account')
                  .map(({ name, label }) => ({ value: name, label }))}
                onChange={(next) => set({ template: next })}
              />
              {reservation ? (
                <SelectFilter
                  label={t('reservation')}
                  any={t('any_reservation')}
                  className="sm:w-56!"
                  value={reservation}
                  options={[{ value: reservation, label: reservation }]}
                  onChange={(next) => set({ reservation: next })}
                />
              ) : null}
            </>
          }
          query={{ ...outbox, data: page }}
          columns={columns}
          label={t('mails')}
          href={(mail) => paths.mail(mail.id)}
          card={card}
          empty={
            <EmptyState
              icon={MailIcon}
              title={t('no_mails_yet')}
              action={
                <LinkButton variant="secondary" href={paths.reservations}>
                  {t('go_to_reservations')}
                </LinkButton>
              }
            >
              {t('send_a_reservation_to_its_guest_and')}
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}
