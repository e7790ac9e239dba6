'use client';
import { CircleAlert, CircleCheck, CircleSlash } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { ReservationSourceNameText } from '../../channel-names';
import { Notice } from '../../developers/notice';
import { FormErrorMessage } from '../../properties/form-parts';
import type { DisplayableError } from '../../read-error';
import type { ReservationImportPreview } from '../../types';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { CalendarDayRange } from '../../ui/date-time';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../../ui/table/table';

type Line = ReservationImportPreview['lines'][number];

interface ImportResultCardProps {
  preview: ReservationImportPreview;
  pending: boolean;
  refused: DisplayableError | null;
  onImport: () => void;
}

const COLUMNS = ['line', 'guest', 'e_mail', 'stay', 'property', 'source', 'what_happens'] as const;

/**
 * Shows the preview of an import, line by line. Invalid lines come first, because they prevent the
 * import.
 */
export function ImportPreviewCard({ preview, pending, refused, onImport }: ImportResultCardProps) {
  const say = useTranslations('reservation_import');
  const _t = useTranslations('reservations');
  const { problem, columns, lines, ready, wrong } = preview;
  const unused = columns.filter(({ field, header }) => field === null && header !== '').map(({ header }) => header);
  const repeated = lines.filter((line) => line.repeated).length;
  const why_not =
    wrong > 0 ? say('mend_the_wrong_lines_first_an_import') : ready === 0 ? say('there_is_nothing_to_create') : null;
  if (problem) {
    return (
      <div role="alert">
        <Notice tone="danger" title={say('the_file_cannot_be_read')}>
          {problem}
          {unused.length > 0 ? ` ${say('not_understood', { names: unused.join(', ') })}` : ''}
        </Notice>
      </div>
    );
  }
  const summary = [
    say('lines_to_create', { count: ready }),
    wrong > 0 ? say('count_wrong', { count: wrong }) : null,
    repeated > 0 ? say('repeated_left_out_there_already', { repeated }) : null,
  ].filter(Boolean);
  return (
    <Card>
      <CardHeader
        title={say('what_would_happen')}
        description={<span role="status">{summary.join(', ')}.</span>}
        actions={
          <Button pending={pending} disabledReason={why_not} onClick={onImport}>
            {say('create_reservations', { count: ready })}
          </Button>
        }
      />
      {unused.length > 0 || refused ? (
        <CardBody className="grid gap-3 border-b">
          {unused.length > 0 ? (
            <p className="break-words text-ink-soft text-sm">{say('columns_not_used', { names: unused.join(', ') })}</p>
          ) : null}
          <FormErrorMessage refused={refused} />
        </CardBody>
      ) : null}
      <ul className="divide-y divide-line md:hidden" aria-label={say('lines_of_the_file')}>
        {ordered(lines).map((line) => (
          <li key={line.line} className="grid gap-1 px-4 py-3 text-sm">
            <span className="flex items-center gap-2">
              <Mark line={line} />
              <span className="font-medium">{nameOf(line)}</span>
              <span className="ml-auto text-ink-soft text-xs">{say('line_number', { line: line.line })}</span>
            </span>
            <span className="text-ink-soft">
              <StayDays line={line} />, {line.row?.property_name ?? line.shown.property ?? say('no_property')}
            </span>
            <Reasons line={line} />
          </li>
        ))}
      </ul>
      <div className="hidden md:block">
        <Table aria-label={say('lines_of_the_file')}>
          <TableHead>
            <TableRow>
              {COLUMNS.map((header) => (
                <TableHeader key={header}>{say(header)}</TableHeader>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {ordered(lines).map((line) => (
              <TableRow key={line.line}>
                <TableCell className="text-ink-soft tabular-nums">{line.line}</TableCell>
                <TableCell className="font-medium">{nameOf(line)}</TableCell>
                <TableCell>{[line.shown.guest_email ?? '–', line.row?.locale].filter(Boolean).join(' · ')}</TableCell>
                <TableCell className="whitespace-nowrap">
                  <StayDays line={line} />
                </TableCell>
                <TableCell>{line.row?.property_name ?? line.shown.property ?? '–'}</TableCell>
                <TableCell>
                  {line.row ? <ReservationSourceNameText source={line.row.source} /> : (line.shown.source ?? '–')}
                </TableCell>
                <TableCell>
                  <span className="flex items-start gap-2">
                    <Mark line={line} />
                    <Reasons line={line} />
                  </span>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </Card>
  );
}

const isWrong = (line: Line) => line.problems.length > 0;
const ordered = (lines: Line[]) => [...lines.filter(isWrong), ...lines.filter((line) => !isWrong(line))];

const nameOf = ({ row, shown }: Line) =>
  row?.guest_name ?? shown.guest_name ?? ([shown.first_name, shown.last_name].filter(Boolean).join(' ') || '–');

/** Shows the parsed dates, or the text of the file when the dates are invalid. */
function StayDays({ line: { row, shown } }: { line: Line }) {
  const t = useTranslations('reservation_import');
  if (!row) return <>{t('from_to', { from: shown.checkin_date ?? '?', to: shown.checkout_date ?? '?' })}</>;
  return <CalendarDayRange from={row.checkin_date} to={row.checkout_date} />;
}

function Mark({ line }: { line: Line }) {
  const [Icon, tone] = isWrong(line)
    ? [CircleAlert, 'text-danger']
    : line.repeated
      ? [CircleSlash, 'text-ink-soft']
      : [CircleCheck, 'text-success'];
  return <Icon className={`mt-0.5 size-4 shrink-0 ${tone}`} aria-hidden />;
}

function Reasons({ line }: { line: Line }) {
  const t = useTranslations('reservation_import');
  if (!isWrong(line)) return <span className="text-ink-soft">{line.repeated ?? t('becomes_a_draft')}</span>;
  return (
    <ul className="grid gap-0.5 text-danger">
      {line.problems.map(({ field, message }) => (
        <li key={`${field} ${message}`}>{message}</li>
      ))}
    </ul>
  );
}
