'use client';
import { useTranslations } from 'use-intl/react';
import { useMe } from '../../shell/me';
import type { ProcedureOutputs } from '../../trpc';

export type GuestErasure = ProcedureOutputs['guest_erasures']['retrieve'];

const COUNTS = ['reservations', 'certificates', 'mails', 'forwarded_mails', 'events'] as const;

/**
 * Returns a function that downloads the receipt of an erasure as text. A receipt contains counts
 * and ids, and no personal data.
 */
export function useErasureReceiptDownload(): (erasure: GuestErasure) => void {
  const t = useTranslations('settings');
  const { team } = useMe();
  return (erasure) => {
    const counted = (name: (typeof COUNTS)[number]) => {
      const label = t(`erase_count_${name}`);
      return `${label}: ${erasure.counts[name]}`;
    };
    const reasonOf = ({ reason }: GuestErasure['kept'][number]) => t(`erase_kept_${reason}`);
    const lines = [
      t('erase_receipt_title'),
      team.name,
      `${erasure.id} · ${erasure.created_at} – ${erasure.finished_at ?? ''}`,
      '',
      ...COUNTS.map(counted),
      '',
      ...erasure.erased,
      ...erasure.kept.map((one) => `${one.reservation_id} (${reasonOf(one)})`),
      '',
      t('erase_stays'),
      t(erasure.whole ? 'erase_loose_done' : 'erase_loose_kept'),
    ];
    const url = URL.createObjectURL(new Blob([lines.join('\n')], { type: 'text/plain;charset=utf-8' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `erasure-${erasure.created_at.slice(0, 10)}.txt`;
    link.click();
    URL.revokeObjectURL(url);
  };
}
