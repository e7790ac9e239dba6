'use client';
import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { ListCard } from '../list-card';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';
import { type CertificateRow, useCertificates } from './queries';
import { CertificateState } from './state-badge';

const Signer = ({ row }: { row: CertificateRow }) => (
  <span className={row.redacted ? 'text-ink-soft' : undefined}>{row.signer_name}</span>
);

const property = (row: CertificateRow) => row.property_name ?? <span className="text-ink-soft">Deleted property</span>;

const columns: Column<CertificateRow>[] = [
  { id: 'signer', header: 'Signed by', cell: ({ row }) => <Signer row={row.original} /> },
  { id: 'property', header: 'Property', cell: ({ row }) => property(row.original) },
  { id: 'signed', header: 'Signed', cell: ({ row }) => <DateTime value={row.original.signed_at} /> },
  { id: 'state', header: 'State', cell: ({ row }) => <CertificateState row={row.original} /> },
  {
    id: 'hash',
    header: 'Content hash',
    cell: ({ row }) => (
      <code className="font-mono text-ink-soft text-xs">{row.original.content_hash?.slice(0, 12) ?? '–'}…</code>
    ),
  },
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
      {property(row)} · {new Date(row.signed_at).toLocaleDateString('en-GB', { dateStyle: 'medium' })}
    </p>
  </div>
);

export function CertificateList() {
  const [cursor, setCursor] = useState<{ starting_after?: string }>({});
  const certificates = useCertificates(cursor);
  const last = certificates.data?.data.at(-1)?.id;
  return (
    <>
      <PageHeader
        title="Certificates"
        description="One for each guest’s signature: a sealed PDF with its audit trail."
      />
      <ListCard
        query={certificates}
        rows={certificates.data?.data}
        columns={columns}
        label="Certificates"
        href={(row) => paths.certificate(row.id)}
        card={card}
        empty={
          <EmptyState icon={BadgeCheck} title="No certificates yet">
            The first appears here when a guest signs. It is sealed within seconds and can be verified by anyone.
          </EmptyState>
        }
      />
      <div className="mt-4 flex justify-end gap-2">
        {cursor.starting_after ? (
          <Button variant="secondary" size="sm" onClick={() => setCursor({})}>
            Newest
          </Button>
        ) : null}
        {certificates.data?.has_more && last ? (
          <Button variant="secondary" size="sm" onClick={() => setCursor({ starting_after: last })}>
            Older
          </Button>
        ) : null}
      </div>
    </>
  );
}
