'use client';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { readError } from '../read-error';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CalendarDay } from '../ui/date-time';
import { ErrorPanel } from '../ui/error-panel';
import { Skeleton } from '../ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table/table';
import { describeActivity, SERIES } from './activity';
import { ActivityChart } from './activity-chart';
import { useActivity } from './queries';

const HEIGHT = 'h-56';

/** What was created, sent and signed on each of the last 30 days: as a picture, in a sentence, and as a table. */
export function ActivityCard() {
  const activity = useActivity();
  const [as_table, setAsTable] = useState(false);
  const days = activity.data?.days;
  return (
    <Card aria-busy={!days && !activity.error}>
      <CardHeader
        title="The last 30 days"
        description={days ? describeActivity(days) : <Skeleton className="mt-1 h-4 w-64" />}
        actions={
          <Button variant="secondary" size="sm" aria-pressed={as_table} onClick={() => setAsTable(!as_table)}>
            {as_table ? <ChartNoAxesColumn aria-hidden /> : <Table2 aria-hidden />}
            {as_table ? 'As a chart' : 'As a table'}
          </Button>
        }
      />
      {activity.error && !days ? (
        <ErrorPanel
          title="The last 30 days could not be loaded"
          message={readError(activity.error).message}
          requestId={readError(activity.error).request_id}
          onRetry={() => void activity.refetch()}
        />
      ) : null}
      {!days && !activity.error ? (
        <CardBody>
          <Skeleton className={HEIGHT} />
        </CardBody>
      ) : null}
      {days && as_table ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="max-h-72 overflow-y-auto" tabIndex={0} aria-label="The last 30 days, as a table">
          <Table aria-label="What happened on each of the last 30 days">
            <TableHead>
              <TableRow>
                <TableHeader>Day</TableHeader>
                {SERIES.map(({ key, label }) => (
                  <TableHeader key={key}>{label}</TableHeader>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {[...days].reverse().map((day) => (
                <TableRow key={day.day}>
                  <TableCell className="h-9">
                    <CalendarDay value={day.day} />
                  </TableCell>
                  {SERIES.map(({ key }) => (
                    <TableCell key={key} className="h-9 tabular-nums">
                      {day[key]}
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </section>
      ) : null}
      {days && !as_table ? (
        <CardBody>
          <ul className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-ink-soft text-xs" aria-hidden>
            {SERIES.map(({ key, label, color }) => (
              <li key={key} className="flex items-center gap-1.5">
                <span className="size-2.5 rounded-sm" style={{ background: color }} />
                {label}
              </li>
            ))}
          </ul>
          <div role="img" aria-label={`Chart of the last 30 days. ${describeActivity(days)}`} className={HEIGHT}>
            <ActivityChart days={days} />
          </div>
        </CardBody>
      ) : null}
    </Card>
  );
}
