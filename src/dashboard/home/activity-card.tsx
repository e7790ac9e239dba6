'use client';
import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useFormattingLocale } from '../i18n/formats';
import { QueryErrorPanel } from '../query-error';
import { useViewerClock } from '../reader';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CalendarDay } from '../ui/date-time';
import { Skeleton } from '../ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table/table';
import { ACTIVITY_CHART_SERIES, describeActivityChart } from './activity';
import { ActivityChart } from './activity-chart';

const HEIGHT = 'h-56';

/**
 * Shows the reservations created, sent and signed on each of the last 30 days, as a chart, a
 * sentence and a table.
 */
export function ActivityCard() {
  const t = useTranslations('home');
  const formats = useFormattingLocale();
  const { zone } = useViewerClock();
  const trpc = useTRPC();
  const activity = useQuery(trpc.home.activity.queryOptions({ timezone: zone }));
  const [as_table, setAsTable] = useState(false);
  const days = activity.data?.days;
  return (
    <Card aria-busy={!days && !activity.error}>
      <CardHeader
        title={t('the_last_30_days')}
        description={days ? describeActivityChart(days, t, formats) : <Skeleton className="mt-1 h-4 w-64" />}
        actions={
          <Button variant="secondary" size="sm" aria-pressed={as_table} onClick={() => setAsTable(!as_table)}>
            {as_table ? <ChartNoAxesColumn aria-hidden /> : <Table2 aria-hidden />}
            {as_table ? t('as_a_chart') : t('as_a_table')}
          </Button>
        }
      />
      {activity.error && !days ? <QueryErrorPanel title={t('the_last_30_days_could_not_be')} query={activity} /> : null}
      {!days && !activity.error ? (
        <CardBody>
          <Skeleton className={HEIGHT} />
        </CardBody>
      ) : null}
      {days && as_table ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll with the keyboard.
        <section className="max-h-72 overflow-y-auto" tabIndex={0} aria-label={t('the_last_30_days_as_a_table')}>
          <Table aria-label={t('what_happened_on_each_of_the_last')}>
            <TableHead>
              <TableRow>
                <TableHeader>{t('day')}</TableHeader>
                {ACTIVITY_CHART_SERIES.map(({ key }) => (
                  <TableHeader key={key}>{t(`series_${key}`)}</TableHeader>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {[...days].reverse().map((day) => (
                <TableRow key={day.day}>
                  <TableCell>
                    <CalendarDay value={day.day} />
                  </TableCell>
                  {ACTIVITY_CHART_SERIES.map(({ key }) => (
                    <TableCell key={key} className="tabular-nums">
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
            {ACTIVITY_CHART_SERIES.map(({ key, color }) => (
              <li key={key} className="flex items-center gap-1.5">
                <span className="size-2.5 rounded-sm" style={{ background: color }} />
                {t(`series_${key}`)}
              </li>
            ))}
          </ul>
          <div
            role="img"
            aria-label={t('chart_of_the_last_30_days', { words: describeActivityChart(days, t, formats) })}
            className={HEIGHT}
          >
            <ActivityChart days={days} />
          </div>
        </CardBody>
      ) : null}
    </Card>
  );
}
