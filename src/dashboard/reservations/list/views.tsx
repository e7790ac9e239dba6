'use client';
import { Bookmark } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../ui/button';
import { lazyComponent } from '../../ui/lazy-component';

/** The button of `SavedViews`, in its place until it can be pressed. */
function Coming() {
  const t = useTranslations('reservations');
  return (
    <Button variant="secondary" disabled>
      <Bookmark aria-hidden />
      {t('views')}
    </Button>
  );
}

/** The saved views, which nobody needs before the list. */
export const Views = lazyComponent(() => import('./saved-views').then((file) => file.SavedViews), Coming);
