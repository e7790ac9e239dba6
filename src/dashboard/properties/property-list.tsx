'use client';
import { Forward, PenLine, Plus, Search, SearchX, Store } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { cursorInput } from '../list/cursor';
import { useListUrl } from '../list/list-url';
import { PageOf } from '../list/page-of';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { Input } from '../ui/form/input';
import { Link } from '../ui/link';
import { toast } from '../ui/overlay/toaster';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';
import { type Property, usePropertySearch } from './queries';

// Each is loaded when somebody asks for it.
const CreatePropertyDialog = dynamic(
  () => import('./create-property-dialog').then((file) => file.CreatePropertyDialog),
  { ssr: false },
);

const sending = (row: Property) =>
  !row.auto_send_packet
    ? 'By hand'
    : row.auto_send_offset_hours === null
      ? '72 h before check-in'
      : `${row.auto_send_offset_hours} h before check-in`;

const Swatch = ({ color }: { color: string | null }) => (
  <span aria-hidden className="size-3 shrink-0 rounded-full border" style={{ background: color ?? 'var(--muted)' }} />
);

const columns: Column<Property>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ row }) => (
      <span className="inline-flex items-center gap-2.5">
        <Swatch color={row.original.brand_color} />
        {row.original.name}
      </span>
    ),
  },
  { id: 'place', header: 'Place', cell: ({ row }) => row.original.city ?? row.original.address ?? '–' },
  { id: 'zone', header: 'Time zone', cell: ({ row }) => row.original.timezone ?? 'UTC' },
  { id: 'sending', header: 'Sending', cell: ({ row }) => sending(row.original) },
  {
    id: 'reminders',
    header: 'Reminders',
    cell: ({ row }) => (row.original.auto_reminders ? '24 h and 2 h before' : 'Off'),
  },
  {
    id: 'rules',
    header: 'Rules',
    // Above the link that covers the row.
    cell: ({ row }) => (
      <span className="relative z-10 flex">
        <WriteRules row={row.original} />
      </span>
    ),
  },
];

/** To the packet that its reservations get. */
const WriteRules = ({ row }: { row: Property }) => (
  <Button asChild variant="secondary" size="sm">
    <Link href={paths.default_packet(row.id)} aria-label={`Write the rules: ${row.name}`}>
      <PenLine aria-hidden />
      Write the rules
    </Link>
  </Button>
);

const card = (row: Property) => (
  <div className="grid gap-1">
    <span className="flex items-center gap-2.5 font-medium">
      <Swatch color={row.brand_color} />
      {row.name}
    </span>
    <span className="text-ink-soft text-sm">
      {row.city ?? row.timezone ?? 'UTC'} · {sending(row)}
    </span>
  </div>
);

const PushDialog = dynamic(() => import('../packets/push/push-dialog'), { ssr: false });

const FILTERS = ['search'] as const;
const TYPING_MS = 250;

export function PropertyList() {
  const router = useRouter();
  const url = useListUrl(FILTERS);
  const search = url.values.search;
  const properties = usePropertySearch({ limit: 25, ...(search && { search }), ...cursorInput(url.cursor) });
  const params = useSearchParams();
  const [creating, setCreating] = useState(false);
  const create = (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create a property
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Properties"
        description="Each has its own packet of rules, fees and arrival details."
        actions={
          <>
            {(properties.data?.data.length ?? 0) > 1 ? (
              <Button asChild variant="secondary">
                <Link href={paths.copy_rules}>
                  <Forward aria-hidden />
                  Copy rules
                </Link>
              </Button>
            ) : null}
            {create}
          </>
        }
      />
      <Card>
        <SearchBox value={search ?? ''} onChange={(text) => url.set({ search: text })} />
        <PageOf
          query={properties}
          cursor={url.cursor}
          onTurn={url.turn}
          columns={columns}
          label="Properties"
          href={(row) => paths.property(row.id)}
          card={card}
          empty={
            search ? (
              <EmptyState
                icon={SearchX}
                title={`No property is called “${search}”`}
                action={
                  <Button variant="secondary" onClick={url.clear}>
                    Clear the search
                  </Button>
                }
              >
                Names, cities and addresses were searched.
              </EmptyState>
            ) : (
              <EmptyState icon={Store} title="No properties yet" action={create}>
                A property is a listing you host. It is born with a packet: write its house rules, fees and arrival
                details once, and every guest signs them before check-in. Your software can create one too, with{' '}
                <code className="font-mono text-xs">POST /v1/properties</code>.
              </EmptyState>
            )
          }
        />
      </Card>
      {params.has('copy') ? <PushDialog onClose={() => router.replace(paths.properties, { scroll: false })} /> : null}
      {creating ? (
        <CreatePropertyDialog
          onClose={() => setCreating(false)}
          onCreated={(property) => {
            toast.success(`${property.name} is created. Next, its packet.`);
            router.push(paths.property(property.id));
          }}
        />
      ) : null}
    </>
  );
}

/** Searches once typing pauses. Going back shows the earlier text; an answer to older typing never replaces newer. */
function SearchBox({ value, onChange }: { value: string; onChange: (text: string | undefined) => void }) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = wanted;
      onChange(wanted || undefined);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <div className="relative border-b p-3">
      <Search
        className="pointer-events-none absolute top-1/2 left-6 size-4 -translate-y-1/2 text-ink-soft"
        aria-hidden
      />
      <Input
        type="search"
        aria-label="Search properties"
        placeholder="Search by name, city or address"
        className="max-w-md pl-9"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
