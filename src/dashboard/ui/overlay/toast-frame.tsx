'use client';
/** The toasts at the page's edge. Their code loads with the user's first interaction. */
import { useEffect, useState } from 'react';
import { lazyComponent } from '../lazy-component';
import { whenWanted } from './toaster';

const ToastList = lazyComponent(() => import('./toast-list'));

/**
 * The events on which the toasts' code is loaded. They occur before any action, so that a toast can
 * be shown even if the network fails later.
 */
const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

export function Toaster({ theme }: { theme: 'light' | 'dark' | 'system' }) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const mount = () => {
      stop.abort();
      setMounted(true);
    };
    whenWanted(mount);
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, mount, { passive: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  return mounted ? <ToastList theme={theme} /> : null;
}
