'use client';
/** Renders the toasts at the page's edge. Their code is loaded at the user's first interaction. */
import { useEffect, useState } from 'react';
import { lazyComponent } from '../lazy-component';
import { callWhenFirstToastIsRequested } from './toaster';

const ToastList = lazyComponent(() => import('./toast-list'));

/**
 * The first interactions at which the toasts' code is loaded. It is loaded before any action,
 * because the network may fail later.
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
    callWhenFirstToastIsRequested(mount);
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, mount, { passive: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  return mounted ? <ToastList theme={theme} /> : null;
}
