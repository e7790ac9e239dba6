'use client';
import { KeyRound, Lock, Unlock } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { Reservation } from '../../types';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader, CompactDescriptionList } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { HelpLink } from '../../ui/help-link';
import { ArrivalDetailsBadge, isCancelledBeforeArrivalDetailsRelease } from '../badges';

/** Shows whether the guest can see the arrival details, and since when. */
export function ArrivalDetailsPanel({
  reservation,
  zone,
  onRelease,
}: {
  reservation: Reservation;
  zone: string | null;
  /** Null when the user's role may not release arrival details. */
  onRelease: (() => void) | null;
}) {
  const t = useTranslations('reservation_detail');
  const terms = useTranslations('terms');
  const release = reservation.arrival_release;
  const { released, withheld } = reservation.arrival;
  const over = reservation.status === 'ignored' || reservation.status === 'expired';
  const moments = [
    { label: t('withheld'), at: release.held_at },
    { label: t('released_early'), at: release.override_at },
    { label: t('released'), at: release.released_at },
    { label: t('seen_by_the_guest'), at: release.viewed_at },
  ].filter((moment) => moment.at);
  return (
    <Card>
      <CardHeader
        title={t('arrival_details')}
        description={<HelpLink page="arrival-details" />}
        actions={<ArrivalDetailsBadge release={release} status={reservation.status} />}
      />
      <CardBody className="grid gap-4">
        <p className="text-ink-soft text-sm leading-relaxed">
          {isCancelledBeforeArrivalDetailsRelease(reservation)
            ? t('the_stay_is_cancelled_nothing_is_released')
            : t(`explained_${release.state}`)}
        </p>
        {moments.length > 0 ? (
          <CompactDescriptionList
            items={moments.map(({ label, at }) => ({ label, value: <DateTime value={at} zone={zone} /> }))}
          />
        ) : null}
        {released.length + withheld.length > 0 && !over ? (
          <ul aria-label={t('who_can_see_what')} className="grid gap-1.5 text-sm">
            {[...withheld, ...released].map((group) => (
              <li key={group} className="flex items-center gap-2">
                {withheld.includes(group) ? (
                  <Lock className="size-4 text-warning" aria-hidden />
                ) : (
                  <Unlock className="size-4 text-success" aria-hidden />
                )}
                {terms(`arrival_${group}`)}
                <span className="ml-auto text-ink-soft text-xs">
                  {withheld.includes(group) ? t('withheld_2') : t('visible')}
                </span>
              </li>
            ))}
          </ul>
        ) : null}
        {release.override_reason ? (
          <p className="text-sm">
            {release.override_by ? `${release.override_by}: ` : ''}“{release.override_reason}”
          </p>
        ) : null}
        {onRelease && reservation.actions.override_arrival.allowed ? (
          <Button variant="secondary" className="w-fit" onClick={onRelease}>
            <KeyRound aria-hidden />
            {t('release_early')}
          </Button>
        ) : null}
      </CardBody>
    </Card>
  );
}
