'use client';
import { Bookmark } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../ui/button';
import { lazyComponent } from '../../ui/lazy-component';

/** Shown until `SavedReservationViews` has loaded. */
function Coming() {
  const t = useTranslations('reservations');
  return (
    <Button variant="secondary" disabled>
      <Bookmark aria-hidden />
      {t('views')}
    </Button>
  );
}

/** The saved views. They load after the list. */
export const LazySavedViews = lazyComponent(
  () => import('./saved-views').then((file) => file.SavedReservationViews),
  Coming,
);
