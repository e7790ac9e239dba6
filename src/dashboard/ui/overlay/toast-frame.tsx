'use client';
/**
 * The messages at the page's edge. What draws them is loaded with the first thing somebody does on
 * the page.
 */
import { useEffect, useState } from 'react';
import { lazyComponent } from '../lazy-component';
import { whenWanted } from './toaster';

const ToastList = lazyComponent(() => import('./toast-list'));

/**
 * Each comes before what it leads to, so that a message can be shown even when the network is gone
 * by then.
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
