'use client';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl/react';

function listen(tell: () => void): () => void {
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  return () => {
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
  };
}

/** Returns whether the browser reports a network connection. */
export const useIsOnline = () =>
  useSyncExternalStore(
    listen,
    () => navigator.onLine,
    () => true,
  );

/** Shown while offline. The page stays usable, but links do nothing (ui/link.tsx). */
export function OfflineBar() {
  const t = useTranslations('shell');
  const online = useIsOnline();
  return (
    <div role="status">
      {online ? null : (
        <p className="sticky top-0 z-30 flex gap-3 border-b bg-danger-tint px-4 py-2.5 text-danger text-sm sm:px-8">
          <WifiOff className="mt-0.5 size-4 shrink-0" aria-hidden />
          {t('you_are_offline_what_is_on_this')}
        </p>
      )}
    </div>
  );
}
