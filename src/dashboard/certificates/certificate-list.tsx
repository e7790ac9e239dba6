'use client';
import { BadgeCheck, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { ListCard } from '../list-card';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { CopyableId } from '../ui/copy-field';
import type { Column } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';
import { type Certificate, useCertificates } from './queries';

function State({ row }: { row: Certificate }) {
  if (row.redacted) return <Badge tone="warning">Redacted</Badge>;
  if (row.legal_hold) return <Badge tone="violet">Legal hold</Badge>;
  return row.pdf_available ? <Badge tone="success">Sealed</Badge> : <Badge tone="info">Being sealed</Badge>;
}

const Verify = ({ url }: { url: string | null }) =>
  url ? (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1.5 font-medium text-primary underline-offset-4 hover:underline"
    >
      Verify
      <ExternalLink className="size-3.5" aria-hidden />
      <span className="sr-only">(opens a new tab)</span>
    </a>
  ) : null;

const columns: Column<Certificate>[] = [
  { id: 'id', header: 'Certificate', cell: ({ row }) => <CopyableId value={row.original.id} label="certificate id" /> },
  { id: 'signed', header: 'Signed', cell: ({ row }) => <DateTime value={row.original.signed_at} /> },
  { id: 'state', header: 'State', cell: ({ row }) => <State row={row.original} /> },
  {
    id: 'hash',
    header: 'Content hash',
    cell: ({ row }) => (
      <code className="font-mono text-ink-soft text-xs">{row.original.content_hash?.slice(0, 16) ?? '–'}…</code>
    ),
  },
  { id: 'verify', header: 'Public page', cell: ({ row }) => <Verify url={row.original.verify_url} /> },
];

const card = (row: Certificate) => (
  <div className="grid gap-1.5">
    <div className="flex items-center justify-between gap-3">
      <DateTime value={row.signed_at} />
      <State row={row} />
    </div>
    <CopyableId value={row.id} label="certificate id" />
    <Verify url={row.verify_url} />
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
