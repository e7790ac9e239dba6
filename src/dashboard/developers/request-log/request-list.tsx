'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { HTTP_METHODS, HTTP_STATUS_CLASSES } from '@/modules/request-log/filter-choices.rules';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import { buildListInputFromCursor, pickAllowedValue } from '../../list/cursor';
import { parseDayRange } from '../../list/day-range';
import { DateFilter, SelectFilter, TextFilter } from '../../list/filter-bar';
import { FilteredList } from '../../list/filtered-list';
import { useListUrl } from '../../list/list-url';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { LoggedRequest } from '../../types';
import { Card } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { MultiSelect } from '../../ui/form/multi-select';
import { LinkButton } from '../../ui/link-button';
import { PageHeader } from '../../ui/page-header';
import type { Column } from '../../ui/table/data-table';
import { LiveUpdatesSwitch } from './live-switch';
import { RequestIdSearchForm } from './request-search';
import { HttpStatusBadge } from './status-badge';

type Row = LoggedRequest & { key_name: string };

const columnsOf = (t: NamespaceTranslator<'request_log'>): Column<Row>[] => [
  {
    id: 'call',
    header: t('request'),
    cell: (row) => (
      <span className="block max-w-80 truncate font-mono text-xs">
        {row.method} {row.path}
        {row.query ? <span className="text-ink-soft">?{row.query}</span> : null}
      </span>
    ),
  },
  {
    id: 'status',
    header: t('status'),
    cell: (row) => (
      <div className="grid grid-cols-[auto] justify-items-start gap-1">
        <HttpStatusBadge status={row.status} />
        {row.error_code ? <span className="font-mono text-xs">{row.error_code}</span> : null}
      </div>
    ),
  },
  {
    id: 'key',
    header: t('key_or_assistant'),
    cell: (row) => <span className="block max-w-36 truncate">{row.key_name}</span>,
  },
  {
    id: 'took',
    header: t('took'),
    cell: (row) => <span className="whitespace-nowrap tabular-nums">{`${row.duration_ms} ms`}</span>,
  },
  {
    id: 'when',
    header: t('when'),
    cell: (row) => (
      <span className="whitespace-nowrap">
        <DateTime value={row.created_at} seconds />
      </span>
    ),
  },
];

const card = (row: Row) => (
  <div className="grid gap-1.5">
    <div className="flex items-start justify-between gap-3">
      <span className="min-w-0 break-all font-mono text-xs">
        {row.method} {row.path}
      </span>
      <HttpStatusBadge status={row.status} />
    </div>
    {row.error_code ? <span className="break-all font-mono text-danger text-xs">{row.error_code}</span> : null}
    <span className="text-ink-soft text-sm">
      <DateTime value={row.created_at} seconds /> {`· ${row.duration_ms} ms · ${row.key_name}`}
    </span>
  </div>
);

const FILTERS = ['status', 'method', 'path', 'key', 'code', 'from', 'to'] as const;
const METHOD_OPTIONS = HTTP_METHODS.map((method) => ({ value: method, label: method }));

/**
 * `error_codes` lists every error code, for the filter. The server passes the list, because the
 * error catalogue is too large for the browser.
 */
export function RequestList({ error_codes }: { error_codes: readonly string[] }) {
  const t = useTranslations('request_log');
  const columns = useMemo(() => columnsOf(t), [t]);
  const list = useListUrl(FILTERS);
  const { values, cursor, set } = list;
  const trpc = useTRPC();
  const keys = useQuery(trpc.api_keys.list.queryOptions(undefined, { refetchInterval: 15_000 }));
  const statuses = HTTP_STATUS_CLASSES.filter((each) => values.status?.split(',').includes(each));
  const [live, setLive] = useState(true);
  // New requests appear only on the first page, so only this page is live.
  const newest = !cursor.after && !cursor.before;
  const query = {
    limit: 25,
    ...(statuses.length > 0 && { statuses }),
    method: pickAllowedValue(HTTP_METHODS, values.method),
    path: values.path,
    api_key: values.key,
    error_code: values.code,
    ...parseDayRange(values),
    ...buildListInputFromCursor(cursor),
  };
  const requests = useQuery(
    trpc.request_logs.list.queryOptions(query, {
      placeholderData: keepPreviousData,
      refetchInterval: live && newest ? 2_000 : false,
      // While live updates are off, focusing the window must not change the list.
      refetchOnWindowFocus: live && newest,
    }),
  );
  const keyOptions = useMemo(
    () => (keys.data?.data ?? []).map((key) => ({ value: key.id, label: `${key.name} (…${key.hint.slice(-4)})` })),
    [keys.data],
  );
  const page = useMemo(() => {
    const names = new Map(keys.data?.data.map((key) => [key.id, key.name]));
    return (
      requests.data && {
        ...requests.data,
        data: requests.data.data.map(
          (row): Row => ({ ...row, key_name: row.assistant ?? (row.api_key_id && names.get(row.api_key_id)) ?? '–' }),
        ),
      }
    );
  }, [requests.data, keys.data]);
  return (
    <>
      <PageHeader
        title={t('request_log')}
        description={t('every_api_request_of_the_last_30')}
        actions={
          <>
            <RequestIdSearchForm />
            <LiveUpdatesSwitch live={live} possible={newest} onChange={setLive} />
          </>
        }
      />
      <Card>
        <FilteredList
          list={list}
          noun={[t('request_2'), t('requests_2')]}
          filters={
            <>
              <div className="grid w-full gap-1 sm:w-44">
                <span aria-hidden className="text-ink-soft text-xs">
                  {t('status')}
                </span>
                <MultiSelect
                  label={t('status')}
                  any={t('any_status')}
                  values={statuses}
                  options={HTTP_STATUS_CLASSES.map((value) => ({ value, label: t(`class_${value}`) }))}
                  onChange={(chosen) => set({ status: chosen.join(',') || undefined })}
                />
              </div>
              <SelectFilter
                label={t('method')}
                any={t('any_method')}
                className="sm:w-48!"
                value={values.method}
                options={METHOD_OPTIONS}
                onChange={(method) => set({ method })}
              />
              <TextFilter
                label={t('path_contains')}
                placeholder="/send"
                value={values.path}
                onChange={(path) => set({ path })}
              />
              <SelectFilter
                label={t('key')}
                any={t('any_key')}
                value={values.key}
                options={keyOptions}
                onChange={(key) => set({ key })}
              />
              <SelectFilter
                label={t('error_code')}
                any={t('any_or_none')}
                className="sm:w-52!"
                value={values.code}
                options={error_codes.map((code) => ({ value: code, label: code }))}
                onChange={(code) => set({ code })}
              />
              <DateFilter label={t('from')} value={values.from} max={values.to} onChange={(from) => set({ from })} />
              <DateFilter label={t('to')} value={values.to} min={values.from} onChange={(to) => set({ to })} />
            </>
          }
          query={{ ...requests, data: page }}
          columns={columns}
          label={t('requests')}
          href={(row) => paths.log(row.id)}
          card={card}
          empty={
            <EmptyState
              icon={ScrollText}
              title={t('no_requests_yet')}
              action={
                <LinkButton variant="secondary" href={paths.api_keys}>
                  {t('create_a_key')}
                </LinkButton>
              }
            >
              {t('call_the_api_with_a_key_of')}
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}
