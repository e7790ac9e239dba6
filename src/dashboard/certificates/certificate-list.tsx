'use client';
import { BadgeCheck, Download, X } from 'lucide-react';
import { FilterDate, FilterSelect, FilterText } from '../list/filter-bar';
import { FilteredList } from '../list/filtered-list';
import { useListUrl } from '../list/list-url';
import { useSelection } from '../list/use-selection';
import { paths } from '../paths';
import { useProperties } from '../properties/queries';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { DateTime, Moment } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';
import { certificateFilters, FILTER_NAMES, zipUrl } from './filters';
import { type CertificateRow, useCertificates } from './queries';
import { CertificateState } from './state-badge';

const Signer = ({ row }: { row: CertificateRow }) => (
  <span className={row.redacted ? 'text-ink-soft' : undefined}>{row.signer_name}</span>
);

const property = (row: CertificateRow) => row.property_name ?? <span className="text-ink-soft">Deleted property</span>;

const columns: Column<CertificateRow>[] = [
  { id: 'signer', header: 'Signed by', cell: ({ row }) => <Signer row={row.original} /> },
  { id: 'property', header: 'Property', cell: ({ row }) => property(row.original) },
  {
    id: 'signed',
    header: 'Signed',
    cell: ({ row }) => <DateTime value={row.original.signed_at} zone={row.original.property_timezone} />,
  },
  {
    id: 'booking',
    header: 'Booking code',
    cell: ({ row }) => (
      <span className="block max-w-40 truncate text-ink-soft">{row.original.booking_code ?? '–'}</span>
    ),
  },
  { id: 'state', header: 'State', cell: ({ row }) => <CertificateState row={row.original} /> },
];

const card = (row: CertificateRow) => (
  <div className="grid gap-1.5">
    <div className="flex items-start justify-between gap-3">
      <span className="min-w-0 break-words font-medium">
        <Signer row={row} />
      </span>
      <CertificateState row={row} />
    </div>
    <p className="text-ink-soft text-sm">
      {property(row)} · <Moment value={row.signed_at} zone={row.property_timezone} />
    </p>
    {row.booking_code ? <p className="truncate text-ink-soft text-sm">{row.booking_code}</p> : null}
  </div>
);

export function CertificateList() {
  const list = useListUrl(FILTER_NAMES);
  const { values, set } = list;
  const filters = certificateFilters(values);
  const certificates = useCertificates(filters, list.cursor);
  const properties = useProperties();
  const selection = useSelection(certificates.data?.data);
  const { chosen } = selection;
  const some = (certificates.data?.data.length ?? 0) > 0;
  return (
    <>
      <PageHeader
        title="Certificates"
        description="One for each guest’s signature: a sealed PDF with its audit trail."
        actions={
          some ? (
            <Button asChild variant="secondary">
              <a href={zipUrl(filters)} download>
                <Download aria-hidden />
                {list.count > 0 ? 'Download what fits' : 'Download all'}
              </a>
            </Button>
          ) : undefined
        }
      />
      <Card>
        <FilteredList
          query={certificates}
          list={list}
          noun={['certificate', 'certificates']}
          label="Certificates"
          columns={columns}
          href={(row) => paths.certificate(row.id)}
          card={card}
          choosing={{ ...selection, name: (row) => row.signer_name }}
          filters={
            <>
              <FilterText
                label="Guest or booking code"
                placeholder="Grace, grace@…, HM123"
                className="sm:w-56"
                value={values.q}
                onChange={(q) => list.type({ q })}
              />
              <FilterSelect
                label="Property"
                any="Any property"
                value={values.property}
                options={(properties.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(id) => set({ property: id })}
              />
              <FilterDate label="Signed from" value={values.from} max={values.to} onChange={(from) => set({ from })} />
              <FilterDate label="to" value={values.to} min={values.from} onChange={(to) => set({ to })} />
            </>
          }
          empty={
            <EmptyState icon={BadgeCheck} title="No certificates yet">
              The first appears here when a guest signs. It is sealed within seconds and can be verified by anyone.
            </EmptyState>
          }
        />
      </Card>
      {chosen.size > 0 ? (
        <section
          aria-label="Chosen certificates"
          className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl border bg-raised p-2 pl-4 shadow-overlay"
        >
          <p role="status" className="mr-2 text-sm">
            {chosen.size} chosen
          </p>
          <Button asChild size="sm">
            <a href={zipUrl(filters, [...chosen])} download>
              <Download aria-hidden />
              Download
            </a>
          </Button>
          <Button size="sm" variant="ghost" aria-label="Choose none" onClick={selection.clear}>
            <X aria-hidden />
          </Button>
        </section>
      ) : null}
    </>
  );
}
