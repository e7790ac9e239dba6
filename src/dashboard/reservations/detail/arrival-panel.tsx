'use client';
import { KeyRound, Lock, Unlock } from 'lucide-react';
import { ARRIVAL_LABELS } from '../../packets/labels';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader, FactLines } from '../../ui/card';
import { DateTime } from '../../ui/date-time';
import { ArrivalBadge, isOver } from '../badges';
import type { Reservation } from '../queries';

const EXPLAINED: Record<string, string> = {
  not_started: 'Nothing has happened yet: the packet has not been sent.',
  not_configured: 'The packet holds no arrival details, so there is nothing to release.',
  not_held: 'The packet shows its arrival details before the signature.',
  ready_to_hold: 'Details are set to be withheld. The guest has not opened the packet yet.',
  held: 'The guest saw the packet without signing. The selected details are withheld until the signature.',
  released: 'The signature released the details.',
  viewed: 'The guest came back after signing and saw the details.',
  override_released: 'A host released the details before the signature.',
};

/** Door codes and the like: whether the guest can see them, and since when. */
export function ArrivalPanel({
  reservation,
  zone,
  onRelease,
}: {
  reservation: Reservation;
  zone: string | null;
  onRelease: () => void;
}) {
  const release = reservation.arrival_release;
  const { released, withheld } = reservation.arrival;
  const over = reservation.status === 'ignored' || reservation.status === 'expired';
  const moments = [
    { label: 'Withheld', at: release.held_at },
    { label: 'Released early', at: release.override_at },
    { label: 'Released', at: release.released_at },
    { label: 'Seen by the guest', at: release.viewed_at },
  ].filter((moment) => moment.at);
  return (
    <Card>
      <CardHeader title="Arrival details" actions={<ArrivalBadge release={release} status={reservation.status} />} />
      <CardBody className="grid gap-4">
        <p className="text-ink-soft text-sm leading-relaxed">
          {isOver(reservation) ? 'The stay is cancelled: nothing is released any more.' : EXPLAINED[release.state]}
        </p>
        {moments.length > 0 ? (
          <FactLines items={moments.map(({ label, at }) => ({ label, value: <DateTime value={at} zone={zone} /> }))} />
        ) : null}
        {released.length + withheld.length > 0 && !over ? (
          <ul aria-label="Who can see what" className="grid gap-1.5 text-sm">
            {[...withheld, ...released].map((group) => (
              <li key={group} className="flex items-center gap-2">
                {withheld.includes(group) ? (
                  <Lock className="size-4 text-warning" aria-hidden />
                ) : (
                  <Unlock className="size-4 text-success" aria-hidden />
                )}
                {ARRIVAL_LABELS[group]}
                <span className="ml-auto text-ink-soft text-xs">
                  {withheld.includes(group) ? 'withheld' : 'visible'}
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
        {reservation.actions.override_arrival.allowed ? (
          <Button variant="secondary" className="w-fit" onClick={onRelease}>
            <KeyRound aria-hidden />
            Release early
          </Button>
        ) : null}
      </CardBody>
    </Card>
  );
}
