'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Coins, Eye, Forward, PenLine, Plus, Search, SearchX, Store } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { buildListInputFromCursor } from '../list/cursor';
import { useListUrl } from '../list/list-url';
import { PaginatedTable } from '../list/page-of';
import { paths } from '../paths';
import { usePermissions } from '../shell/me';
import { useTRPC } from '../trpc';
import type { Property } from '../types';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { Input } from '../ui/form/input';
import { lazyComponent } from '../ui/lazy-component';
import { LinkButton } from '../ui/link-button';
import { toast } from '../ui/overlay/toaster';
import { PageHeader } from '../ui/page-header';
import type { Column } from '../ui/table/data-table';

const CreatePropertyDialog = lazyComponent(() =>
  import('./create-property-dialog').then((file) => file.CreatePropertyDialog),
);

type T = NamespaceTranslator<'properties'>;

const sending = (row: Property, t: T) =>
  row.auto_send_packet ? t('hours_before', { hours: row.auto_send_offset_hours ?? 72 }) : t('by_hand');

const Swatch = ({ color }: { color: string | null }) => (
  <span aria-hidden className="size-3 shrink-0 rounded-full border" style={{ background: color ?? 'var(--muted)' }} />
);

const columnsOf = (t: T): Column<Property>[] => [
  {
    id: 'name',
    header: t('name'),
    cell: (row) => (
      <span className="inline-flex items-center gap-2.5">
        <Swatch color={row.brand_color} />
        {row.name}
      </span>
    ),
  },
  { id: 'place', header: t('place'), cell: (row) => row.city ?? row.address ?? '–' },
  { id: 'zone', header: t('time_zone'), cell: (row) => row.timezone ?? 'UTC' },
  { id: 'sending', header: t('sending'), cell: (row) => sending(row, t) },
  {
    id: 'reminders',
    header: t('reminders'),
    cell: (row) => (row.auto_reminders ? t('24_h_and_2_h_before') : t('off')),
  },
  {
    id: 'rules',
    header: t('rules'),
    // Raises the cell's own link above the link that covers the whole row.
    cell: (row) => (
      <span className="relative z-10 flex">
        <WriteRules row={row} />
      </span>
    ),
  },
];

/** A link to the property's default packet. */
function WriteRules({ row }: { row: Property }) {
  const t = useTranslations('properties');
  const { manages } = usePermissions();
  return (
    <LinkButton
      variant="secondary"
      size="sm"
      href={paths.default_packet(row.id)}
      aria-label={t(manages ? 'write_the_rules_row' : 'see_the_rules_row', { row: row.name })}
    >
      {manages ? <PenLine aria-hidden /> : <Eye aria-hidden />}
      {t(manages ? 'write_the_rules' : 'see_the_rules')}
    </LinkButton>
  );
}

const cardOf = (t: T) => (row: Property) => (
  <div className="grid gap-1">
    <span className="flex items-center gap-2.5 font-medium">
      <Swatch color={row.brand_color} />
      <span className="min-w-0">{row.name}</span>
    </span>
    <span className="text-ink-soft text-sm">
      {row.city ?? row.timezone ?? 'UTC'} · {sending(row, t)}
    </span>
  </div>
);

const PushDialog = lazyComponent(() => import('../packets/push/push-dialog'));
const ChangeItemDialog = lazyComponent(() => import('../packets/change-item/change-item-dialog'));

const FILTERS = ['search'] as const;
const TYPING_MS = 250;

export function PropertyList() {
  const t = useTranslations('properties');
  const everywhere = useTranslations('everywhere');
  const [columns, card] = useMemo(() => [columnsOf(t), cardOf(t)], [t]);
  const router = useRouter();
  const url = useListUrl(FILTERS);
  const search = url.values.search;
  const trpc = useTRPC();
  const properties = useQuery(
    trpc.properties.list.queryOptions(
      { limit: 25, ...(search && { search }), ...buildListInputFromCursor(url.cursor) },
      { placeholderData: keepPreviousData },
    ),
  );
  const params = useSearchParams();
  const [creating, setCreating] = useState(false);
  const { manages } = usePermissions();
  const create = manages ? (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      {t('create_a_property')}
    </Button>
  ) : null;
  // Removes the parameter that opened the dialog from the URL.
  const leave = () => router.replace(paths.properties, { scroll: false });
  return (
    <>
      <PageHeader
        title={t('properties')}
        help="first-hour"
        description={t('each_has_its_own_packet_of_rules')}
        actions={
          <>
            {manages && (properties.data?.data.length ?? 0) > 1 ? (
              <>
                <LinkButton variant="secondary" href={paths.change_everywhere}>
                  <Coins aria-hidden />
                  {everywhere('open')}
                </LinkButton>
                <LinkButton variant="secondary" href={paths.copy_rules}>
                  <Forward aria-hidden />
                  {t('copy_rules')}
                </LinkButton>
              </>
            ) : null}
            {create}
          </>
        }
      />
      <Card>
        <SearchBox value={search ?? ''} onChange={(text) => url.set({ search: text })} />
        <PaginatedTable
          query={properties}
          cursor={url.cursor}
          onTurn={url.turn}
          columns={columns}
          label={t('properties')}
          href={(row) => paths.property(row.id)}
          card={card}
          empty={
            search ? (
              <EmptyState
                icon={SearchX}
                title={t('no_property_is_called_search', { search })}
                action={
                  <Button variant="secondary" onClick={url.clear}>
                    {t('clear_the_search')}
                  </Button>
                }
              >
                {t('names_cities_and_addresses_were_searched')}
              </EmptyState>
            ) : (
              <EmptyState icon={Store} title={t('no_properties_yet')} action={create}>
                {t.rich('a_property_is_a_listing_you_host', {
                  code: () => <code className="font-mono text-xs">POST /v1/properties</code>,
                })}
              </EmptyState>
            )
          }
        />
      </Card>
      {params.has('copy') && manages ? <PushDialog onClose={leave} /> : null}
      {params.has('change') && manages ? <ChangeItemDialog onClose={leave} /> : null}
      {creating || (params.has('new') && manages) ? (
        <CreatePropertyDialog
          onClose={() => {
            setCreating(false);
            if (params.has('new')) leave();
          }}
          onCreated={(property) => {
            toast.success(t('property_is_created_next_its_packet', { property: property.name }));
            router.push(paths.property(property.id));
          }}
        />
      ) : null}
    </>
  );
}

/**
 * The search field. Searches when typing pauses. Going back in the browser restores the earlier
 * text.
 */
function SearchBox({ value, onChange }: { value: string; onChange: (text: string | undefined) => void }) {
  const t = useTranslations('properties');
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
        aria-label={t('search_properties')}
        placeholder={t('search_by_name_city_or_address')}
        className="max-w-md pl-9"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}
