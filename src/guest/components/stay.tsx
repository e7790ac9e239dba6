import type { PropertyBrandView } from '@/modules/signing/packet-view';
import { countNightsBetween, formatDateAsWeekdayDayAndMonth, formatDay } from '@/shared/guest-text/format';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { TranslateFunction } from '@/shared/guest-text/translate';
import type { StayDatesView } from '../view-models';
import { Icon } from './icons';

/** A summary of the stay: place, arrival and departure. */
export function StayCard({
  brand,
  stay,
  locale,
  t,
}: {
  brand: PropertyBrandView;
  stay: StayDatesView;
  locale: GuestLocale;
  t: TranslateFunction;
}) {
  return (
    <section className="card stay" aria-labelledby="stay-title">
      <h2 id="stay-title" className="overline">
        {t('stay.title')}
      </h2>
      <div className="stay-dates">
        <Day label={t('stay.checkin')} date={stay.checkin_date} locale={locale} />
        <Icon name="arrow" />
        <Day label={t('stay.checkout')} date={stay.checkout_date} locale={locale} />
      </div>
      <p className="stay-meta">
        {t('stay.nights', { count: countNightsBetween(stay.checkin_date, stay.checkout_date) })}
      </p>
      {brand.address ? (
        <p className="stay-meta">
          <bdi>{brand.address}</bdi>
        </p>
      ) : null}
    </section>
  );
}

function Day({ label, date, locale }: { label: string; date: string; locale: GuestLocale }) {
  const parts = formatDateAsWeekdayDayAndMonth(date, locale);
  return (
    <div className="day">
      <span className="day-label">{label}</span>
      <time dateTime={date}>
        <span className="day-number">{parts.day}</span>
        <span className="day-month">{parts.month}</span>
        <span className="day-weekday">{parts.weekday}</span>
      </time>
    </div>
  );
}

/** Returns the dates of the stay in one line. */
export function formatStayDates(stay: StayDatesView, locale: GuestLocale): string {
  return `${formatDay(stay.checkin_date, locale, 'medium')} – ${formatDay(stay.checkout_date, locale, 'medium')}`;
}
