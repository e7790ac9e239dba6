'use client';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { cn } from '../cn';
import { Link } from '../link';
import { Skeleton } from '../skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from './table';

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row extends { id: string }> {
  columns: Column<Row>[];
  /** Undefined while the first page loads. */
  data: Row[] | undefined;
  label: string;
  /**
   * Returns the URL of a row's page. The first cell is the link, and the whole row can be clicked.
   */
  href?: (row: Row) => string;
  /** Renders the row on a phone, where a table is too wide. */
  card?: (row: Row) => ReactNode;
  empty?: ReactNode;
  /** Whether these rows are outdated, because newer rows are loading. */
  stale?: boolean;
  skeletonRows?: number;
  sorting?: ColumnSorting;
  choosing?: RowSelection<Row>;
}

/** The selection of rows with checkboxes. The checkbox in the header selects all rows. */
export interface RowSelection<Row> {
  chosen: ReadonlySet<string>;
  toggle: (id: string) => void;
  set: (ids: readonly string[], on: boolean) => void;
  /** The accessible name of a row's checkbox. */
  name: (row: Row) => string;
}

/** The columns that can be sorted, and the current order. The caller has to sort the rows. */
export interface ColumnSorting {
  columns: readonly string[];
  by: string;
  descending: boolean;
  onSort: (column: string) => void;
}

export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { columns, data, label, href, card, empty, stale, skeletonRows = 8, sorting, choosing } = props;
  if (data?.length === 0 && empty) return <>{empty}</>;
  return (
    <div className={cn('transition-opacity', stale && 'opacity-60')} aria-busy={stale || !data}>
      {card ? <CardList data={data} label={label} href={href} card={card} choosing={choosing} /> : null}
      <div className={card ? 'hidden md:block' : undefined}>
        {data ? (
          <Rows columns={columns} data={data} label={label} href={href} sorting={sorting} choosing={choosing} />
        ) : (
          <SkeletonRows columns={columns} rows={skeletonRows} label={label} boxes={choosing !== undefined} />
        )}
      </div>
    </div>
  );
}

function Rows<Row extends { id: string }>({
  columns,
  data,
  label,
  href,
  sorting,
  choosing,
}: Required<Pick<DataTableProps<Row>, 'columns' | 'label'>> & {
  data: Row[];
  href?: (row: Row) => string;
  sorting?: ColumnSorting;
  choosing?: RowSelection<Row>;
}) {
  return (
    <Table aria-label={label}>
      <TableHead>
        <TableRow>
          {choosing ? (
            <TableHeader className="w-8 pr-0">
              <ChooseAll rows={data} choosing={choosing} />
            </TableHeader>
          ) : null}
          {columns.map(({ id, header }) => (
            <TableHeader key={id} aria-sort={ariaSort(id, sorting)}>
              {sorting?.columns.includes(id) ? (
                <SortButton column={id} sorting={sorting}>
                  {header}
                </SortButton>
              ) : (
                header
              )}
            </TableHeader>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {data.map((row) => (
          <TableRow
            key={row.id}
            data-row={row.id}
            className={href ? 'relative transition-colors focus-within:bg-muted/60 hover:bg-muted/60' : undefined}
          >
            {choosing ? (
              <TableCell className="relative z-10 w-8 pr-0">
                <ChooseBox row={row} choosing={choosing} />
              </TableCell>
            ) : null}
            {columns.map(({ id, cell }, index) => (
              <TableCell key={id}>
                {href && index === 0 ? (
                  // The link covers the whole row, so that the row can be clicked anywhere and is a
                  // single tab stop.
                  <Link href={href(row)} className="font-medium after:absolute after:inset-0">
                    {cell(row)}
                  </Link>
                ) : (
                  cell(row)
                )}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

const box = 'block size-4 accent-primary';
/** The clickable area around a checkbox: 24 pixels, the minimum for touch (WCAG 2.5.8). */
const target = 'relative z-10 -m-1 grid size-6 place-items-center';

function ChooseBox<Row extends { id: string }>({ row, choosing }: { row: Row; choosing: RowSelection<Row> }) {
  const t = useTranslations('ui');
  return (
    <label className={target}>
      <input
        type="checkbox"
        className={box}
        aria-label={t('choose_name', { name: choosing.name(row) })}
        checked={choosing.chosen.has(row.id)}
        onChange={() => choosing.toggle(row.id)}
      />
    </label>
  );
}

function ChooseAll<Row extends { id: string }>({ rows, choosing }: { rows: Row[]; choosing: RowSelection<Row> }) {
  const t = useTranslations('ui');
  const all = rows.length > 0 && rows.every(({ id }) => choosing.chosen.has(id));
  return (
    <label className={target}>
      <input
        type="checkbox"
        className={box}
        aria-label={t('choose_all_on_this_page')}
        checked={all}
        ref={(input) => {
          if (input) input.indeterminate = !all && choosing.chosen.size > 0;
        }}
        onChange={() =>
          choosing.set(
            rows.map(({ id }) => id),
            !all,
          )
        }
      />
    </label>
  );
}

function ariaSort(column: string, sorting: ColumnSorting | undefined): 'ascending' | 'descending' | undefined {
  if (sorting?.by !== column) return undefined;
  return sorting.descending ? 'descending' : 'ascending';
}

function SortButton({ column, sorting, children }: { column: string; sorting: ColumnSorting; children: ReactNode }) {
  const current = sorting.by === column;
  const Icon = !current ? ChevronsUpDown : sorting.descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={() => sorting.onSort(column)}
      className={cn(
        '-mx-1.5 inline-flex items-center gap-1 rounded-sm px-1.5 py-1 hover:text-ink',
        current && 'text-ink',
      )}
    >
      {children}
      <Icon className="size-3.5" aria-hidden />
    </button>
  );
}

function CardList<Row extends { id: string }>({
  data,
  label,
  href,
  card,
  choosing,
}: {
  data: Row[] | undefined;
  label: string;
  href?: (row: Row) => string;
  card: (row: Row) => ReactNode;
  choosing?: RowSelection<Row>;
}) {
  return (
    <ul className="divide-y divide-line md:hidden" aria-label={label}>
      {data
        ? data.map((row) => (
            <li key={row.id} data-row={row.id} className={choosing ? 'flex' : undefined}>
              {choosing ? (
                <span className="py-4 pl-4">
                  <ChooseBox row={row} choosing={choosing} />
                </span>
              ) : null}
              {href ? (
                <Link href={href(row)} className="block min-w-0 flex-1 px-4 py-3.5 hover:bg-muted/60">
                  {card(row)}
                </Link>
              ) : (
                <div className="px-4 py-3.5">{card(row)}</div>
              )}
            </li>
          ))
        : Array.from({ length: 6 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no id.
            <li key={index} className="grid gap-2 px-4 py-3.5">
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="h-3 w-3/5" />
            </li>
          ))}
    </ul>
  );
}

const WIDTHS = ['w-32', 'w-24', 'w-28', 'w-20', 'w-24', 'w-16'];

function SkeletonRows<Row extends { id: string }>({
  columns,
  rows,
  label,
  boxes,
}: {
  columns: Column<Row>[];
  rows: number;
  label: string;
  boxes: boolean;
}) {
  const t = useTranslations('ui');
  return (
    <Table aria-label={t('label_loading', { label })}>
      <TableHead>
        <TableRow>
          {boxes ? <TableHeader className="w-8 pr-0" /> : null}
          {columns.map((column) => (
            <TableHeader key={column.id}>{typeof column.header === 'string' ? column.header : null}</TableHeader>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no id.
          <TableRow key={row}>
            {boxes ? <TableCell className="w-8 pr-0" /> : null}
            {columns.map((column, index) => (
              <TableCell key={column.id}>
                <Skeleton className={cn('h-4', WIDTHS[(row + index) % WIDTHS.length])} />
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
