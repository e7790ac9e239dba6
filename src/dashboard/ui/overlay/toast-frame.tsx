'use client';
/** The toasts at the page's edge. Their code loads with the user's first interaction. */
import { useEffect, useState } from 'react';
import { lazyComponent } from '../lazy-component';
import { onFirstToast } from './toaster';

const ToastList = lazyComponent(() => import('./toast-list'));

/**
 * Each precedes the action that it leads to, so that a toast can be shown even if the network fails
 * later.
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
    onFirstToast(mount);
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, mount, { passive: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  return mounted ? <ToastList theme={theme} /> : null;
}
