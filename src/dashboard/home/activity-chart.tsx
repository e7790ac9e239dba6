'use client';
import { useTranslations } from 'use-intl/react';
import { useFormattingLocale } from '../i18n/formats';
import { ACTIVITY_CHART_SERIES, buildChartScale, type DailyReservationCounts, formatDayAndMonth } from './activity';

/** Every fifth day has a label. */
const NAMED = 5;

/**
 * The chart itself. It cannot be focused, because the adjacent text contains the same data. The
 * title of each bar contains the day's values.
 */
export function ActivityChart({ days }: { days: readonly DailyReservationCounts[] }) {
  const t = useTranslations('home');
  const formats = useFormattingLocale();
  const { top, lines } = buildChartScale(
    Math.max(0, ...days.flatMap((day) => ACTIVITY_CHART_SERIES.map(({ key }) => day[key]))),
  );
  return (
    <div className="grid h-full grid-cols-[2rem_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_1.5rem] text-ink-soft text-xs">
      <div className="relative">
        {lines.map((value) => (
          <span
            key={value}
            className="absolute right-2 translate-y-1/2 tabular-nums leading-none"
            style={{ bottom: `${(value / top) * 100}%` }}
          >
            {value}
          </span>
        ))}
      </div>
      <div className="relative">
        {lines.map((value) => (
          <span
            key={value}
            className="absolute inset-x-0 border-line border-t"
            style={{ bottom: `${(value / top) * 100}%` }}
          />
        ))}
        <div className="absolute inset-0 flex">
          {days.map((day) => (
            <span
              key={day.day}
              title={`${formatDayAndMonth(day.day, formats)}: ${ACTIVITY_CHART_SERIES.map(({ key }) => t('in_chart', { label: t(`series_${key}`), number: day[key] })).join(', ')}`}
              className="flex h-full min-w-0 flex-1 items-end gap-px px-0.5 hover:bg-muted"
            >
              {ACTIVITY_CHART_SERIES.map(({ key, color }) => (
                <span
                  key={key}
                  className="min-w-0 flex-1 rounded-t-[2px]"
                  style={{ background: color, height: `${(day[key] / top) * 100}%` }}
                />
              ))}
            </span>
          ))}
        </div>
      </div>
      <div className="relative col-start-2 pt-1.5">
        {days.map((day, at) =>
          at % NAMED === 2 ? (
            <span
              key={day.day}
              className="absolute -translate-x-1/2 whitespace-nowrap"
              style={{ left: `${((at + 0.5) / days.length) * 100}%` }}
            >
              {formatDayAndMonth(day.day, formats)}
            </span>
          ) : null,
        )}
      </div>
    </div>
  );
}
