'use client';
import { useTranslations } from 'use-intl/react';
import type { GuestAffectedByPacketItemChange } from '../../types';

interface GuestLinesProps {
  guests: readonly GuestAffectedByPacketItemChange[];
  /** True when there are more guests than `guests` contains. */
  more: boolean;
}

/** Lists the guests who have the old version, and what the change means for them. */
export function AffectedGuestList({ guests, more }: GuestLinesProps) {
  const t = useTranslations('everywhere');
  const unsigned = guests.filter(({ signed }) => !signed);
  const signed = guests.filter((guest) => guest.signed);
  return (
    <div className="grid gap-2 rounded-lg border bg-muted/40 px-3 py-2.5 text-sm">
      <Line heading={t('guests_unsigned', { count: unsigned.length })} guests={unsigned}>
        {t('unsigned_see_it')}
      </Line>
      <Line heading={t('guests_signed', { count: signed.length })} guests={signed}>
        {t('signed_keep_it')}
      </Line>
      {more ? <p className="text-ink-soft">{t('more_guests')}</p> : null}
    </div>
  );
}

interface LineProps {
  heading: string;
  guests: readonly GuestAffectedByPacketItemChange[];
  children: string;
}

const NAMED = 5;

function Line({ heading, guests, children }: LineProps) {
  const t = useTranslations('everywhere');
  if (guests.length === 0) return <p className="text-ink-soft">{heading}</p>;
  const names = guests.slice(0, NAMED).map(({ guest_name }) => guest_name);
  return (
    <p className="break-words">
      <span className="font-medium">{heading}</span>{' '}
      {t('names', { names: names.join(', '), more: guests.length - names.length })}{' '}
      <span className="text-ink-soft">{children}</span>
    </p>
  );
}
