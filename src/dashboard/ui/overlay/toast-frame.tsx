'use client';
/** The messages at the page's edge. What draws them is loaded once the page stands, and at the latest for the first one. */
import { useEffect, useState } from 'react';
import { later } from '../later';
import { whenIdle } from '../when-idle';
import { whenWanted } from './toaster';

const ToastList = later(() => import('./toast-list'));

export function Toaster({ theme }: { theme: 'light' | 'dark' | 'system' }) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => {
    whenWanted(() => setMounted(true));
    return whenIdle(() => setMounted(true));
  }, []);
  return mounted ? <ToastList theme={theme} /> : null;
}
