'use client';
import { Mail, RotateCw, X, XCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { BulkAction } from '@/modules/reservations/bulk/bulk-limits.rules';
import type { RowSelectionState } from '../../list/use-selection';
import { Button } from '../../ui/button';
import { lazyComponent } from '../../ui/lazy-component';

const BulkDialog = lazyComponent(() => import('./bulk-dialog'));

interface Bulk {
  /** Opens the preview of an action on these reservations. */
  ask: (action: BulkAction, ids: readonly string[]) => void;
  /** The bar with the actions for the selected reservations, and the preview dialog. */
  shown: ReactNode;
}

export function useBulkActionMenu({ chosen, clear }: RowSelectionState): Bulk {
  const t = useTranslations('reservations');
  const [asked, setAsked] = useState<{ action: BulkAction; ids: readonly string[] } | null>(null);
  const of_chosen = (action: BulkAction) => setAsked({ action, ids: [...chosen] });
  const shown = (
    <>
      {chosen.size > 0 ? (
        <section
          aria-label={t('chosen_reservations')}
          className="sticky bottom-20 z-20 sm:bottom-4 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl border bg-raised p-2 pl-4 shadow-overlay"
        >
          <p role="status" className="mr-2 text-sm">
            {t('size_chosen', { size: chosen.size })}
          </p>
          <Button size="sm" variant="secondary" onClick={() => of_chosen('send')}>
            <Mail aria-hidden />
            {t('send')}
          </Button>
          <Button size="sm" onClick={() => of_chosen('resend')}>
            <RotateCw aria-hidden />
            {t('send_again')}
          </Button>
          <Button size="sm" variant="secondary" onClick={() => of_chosen('cancel')}>
            <XCircle aria-hidden />
            {t('cancel')}
          </Button>
          <Button size="sm" variant="ghost" aria-label={t('choose_none')} onClick={clear}>
            <X aria-hidden />
          </Button>
        </section>
      ) : null}
      {asked ? (
        <BulkDialog
          {...asked}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            clear();
          }}
        />
      ) : null}
    </>
  );
  return { ask: (action, ids) => setAsked({ action, ids }), shown };
}
