'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { BadgeCheck, Download, X } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { PROPERTIES_INPUT } from '../initial-queries';
import { buildListInputFromCursor } from '../list/cursor';
import { DateFilter, SelectFilter, TextFilter } from '../list/filter-bar';
import { FilteredList } from '../list/filtered-list';
import { useListUrl } from '../list/list-url';
import { MonthCsvExportButton } from '../list/month-export';
import { useRowSelection } from '../list/use-selection';
import { paths } from '../paths';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import type { ListedCertificate } from '../types';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { DateTime, DateTimeWithoutTooltip } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { AnchorButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';
import { buildCertificateFilters, CERTIFICATE_FILTER_NAMES } from './filters';
import { CertificateStateBadge } from './state-badge';

const Signer = ({ row }: { row: ListedCertificate }) => (
  <span className={row.redacted ? 'text-ink-soft' : undefined}>{row.signer_name}</span>
);

type T = NamespaceTranslator<'certificates'>;

const property = (row: ListedCertificate, t: T) =>
  row.property_name ?? <span className="text-ink-soft">{t('deleted_property')}</span>;

const columnsOf = (t: T): Column<ListedCertificate>[] => [
  { id: 'signer', header: t('signed_by'), cell: (row) => <Signer row={row} /> },
  { id: 'property', header: t('property'), cell: (row) => property(row, t) },
  {
    id: 'signed',
    header: t('signed'),
    cell: (row) => <DateTime value={row.signed_at} zone={row.property_timezone} />,
  },
  {
    id: 'booking',
    header: t('booking_code'),
    cell: (row) => <span className="block max-w-40 truncate text-ink-soft">{row.booking_code ?? '–'}</span>,
  },
  { id: 'state', header: t('state'), cell: (row) => <CertificateStateBadge row={row} /> },
];

const cardOf = (t: T) => (row: ListedCertificate) => (
  <div className="grid gap-1.5">
    <div className="flex items-start justify-between gap-3">
      <span className="min-w-0 break-words font-medium">
        <Signer row={row} />
      </span>
      <CertificateStateBadge row={row} />
    </div>
    <p className="text-ink-soft text-sm">
      {property(row, t)} · <DateTimeWithoutTooltip value={row.signed_at} zone={row.property_timezone} />
    </p>
    {row.booking_code ? <p className="truncate text-ink-soft text-sm">{row.booking_code}</p> : null}
  </div>
);

export function CertificateList() {
  const t = useTranslations('certificates');
  const [columns, card] = useMemo(() => [columnsOf(t), cardOf(t)], [t]);
  const me = useMe();
  const list = useListUrl(CERTIFICATE_FILTER_NAMES);
  const { values, set } = list;
  const filters = buildCertificateFilters(values);
  const trpc = useTRPC();
  const certificates = useQuery(
    trpc.certificates.list.queryOptions(
      { limit: 25, ...filters, ...buildListInputFromCursor(list.cursor) },
      { placeholderData: keepPreviousData },
    ),
  );
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const selection = useRowSelection(certificates.data?.data);
  const { chosen } = selection;
  const some = (certificates.data?.data.length ?? 0) > 0;
  return (
    <>
      <PageHeader
        title={t('certificates')}
        help="disputes"
        description={t('one_for_each_guests_signature_a_sealed')}
        actions={
          some ? (
            <>
              <MonthCsvExportButton first="certificates" />
              {me.user.role === 'co_host' ? null : (
                <AnchorButton variant="secondary" href={paths.certificates_zip(me, { ...filters })} download>
                  <Download aria-hidden />
                  {list.count > 0 ? t('download_what_fits') : t('download_all')}
                </AnchorButton>
              )}
            </>
          ) : undefined
        }
      />
      <Card>
        <FilteredList
          query={certificates}
          list={list}
          noun={[t('certificate_2'), t('certificates_2')]}
          label={t('certificates')}
          columns={columns}
          href={(row) => paths.certificate(row.id)}
          card={card}
          choosing={{ ...selection, name: (row) => row.signer_name }}
          filters={
            <>
              <TextFilter
                label={t('guest_or_booking_code')}
                placeholder={t('grace_grace_hm123')}
                className="sm:w-56!"
                value={values.q}
                onChange={(q) => list.type({ q })}
              />
              <SelectFilter
                label={t('property')}
                any={t('any_property')}
                value={values.property}
                options={(properties.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(id) => set({ property: id })}
              />
              <DateFilter
                label={t('signed_from')}
                value={values.from}
                max={values.to}
                onChange={(from) => set({ from })}
              />
              <DateFilter label={t('to')} value={values.to} min={values.from} onChange={(to) => set({ to })} />
            </>
          }
          empty={
            <EmptyState icon={BadgeCheck} title={t('no_certificates_yet')}>
              {t('the_first_appears_here_when_a_guest')}
            </EmptyState>
          }
        />
      </Card>
      {chosen.size > 0 ? (
        <section
          aria-label={t('chosen_certificates')}
          className="sticky bottom-20 z-20 sm:bottom-4 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl border bg-raised p-2 pl-4 shadow-overlay"
        >
          <p role="status" className="mr-2 text-sm">
            {t('size_chosen', { size: chosen.size })}
          </p>
          <AnchorButton size="sm" href={paths.certificates_zip(me, { ids: [...chosen].join(',') })} download>
            <Download aria-hidden />
            {t('download')}
          </AnchorButton>
          <Button size="sm" variant="ghost" aria-label={t('choose_none')} onClick={selection.clear}>
            <X aria-hidden />
          </Button>
        </section>
      ) : null}
    </>
  );
}
