'use client';
import { CircleCheck, CircleMinus } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { ProcedureOutputs } from '../../trpc';
import type { PacketContainingGivenFeeOrRule } from '../../types';

interface ChangeResultProps {
  rows: ProcedureOutputs['packets']['change_item']['rows'];
  places: readonly PacketContainingGivenFeeOrRule[];
  /** The number of guests who have the link to a changed packet and have not signed. */
  unsigned: number;
}

/** Lists the result for each packet. */
export function PacketItemChangeResultList({ rows, places, unsigned }: ChangeResultProps) {
  const t = useTranslations('everywhere');
  const count = rows.filter(({ outcome }) => outcome === 'done').length;
  const skipped = rows.filter(({ outcome }) => outcome !== 'done');
  const nameOf = (id: string) => {
    const place = places.find(({ packet_id }) => packet_id === id);
    return place ? t('property_and_variant', { property: place.property_name, variant: place.packet_name }) : id;
  };
  return (
    <div className="grid gap-4 text-sm">
      <p role="status" className="flex items-start gap-2.5 font-medium">
        <CircleCheck className="mt-0.5 size-4 shrink-0 text-success" aria-hidden />
        {t('changed_in', { count })}
      </p>
      {skipped.length > 0 ? (
        <div className="grid gap-2">
          <p className="text-ink-soft">{t('skipped')}</p>
          <ul aria-label={t('skipped')} className="divide-y divide-line rounded-lg border">
            {skipped.map(({ packet_id, message }) => (
              <li key={packet_id} className="flex items-start gap-2.5 px-3 py-2">
                <CircleMinus className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
                <span className="min-w-0 break-words">
                  <span className="font-medium">{nameOf(packet_id)}</span>
                  <span className="block text-ink-soft">{message}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {unsigned > 0 ? <p>{t('offer_resend', { count: unsigned })}</p> : null}
    </div>
  );
}
