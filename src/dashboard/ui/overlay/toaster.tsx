'use client';
/** The messages at the page's edge. What draws them is loaded once the page stands, and at the latest for the first one. */
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import type { ExternalToast } from 'sonner';
import { whenIdle } from '../when-idle';

const ToastList = dynamic(() => import('./toast-list'), { ssr: false });

type Kind = 'message' | 'success' | 'error' | 'warning';

interface Waiting {
  kind: Kind;
  text: string;
  options: ExternalToast | undefined;
}

/** Said before there was anything to show it. */
let waiting: Waiting[] = [];
let show: ((said: Waiting) => void) | null = null;
let wanted: (() => void) | null = null;

function say(kind: Kind, text: string, options?: ExternalToast): void {
  const said = { kind, text, options };
  if (show) show(said);
  else {
    waiting.push(said);
    wanted?.();
  }
}

export const toast = Object.assign((text: string, options?: ExternalToast) => say('message', text, options), {
  success: (text: string, options?: ExternalToast) => say('success', text, options),
  error: (text: string, options?: ExternalToast) => say('error', text, options),
  warning: (text: string, options?: ExternalToast) => say('warning', text, options),
});

/** `list` shows from now on what is said, and what was said before. */
export function toastsGoTo(list: ((said: Waiting) => void) | null): void {
  show = list;
  if (!list) return;
  const early = waiting;
  waiting = [];
  for (const said of early) list(said);
}

export function Toaster({ theme }: { theme: 'light' | 'dark' | 'system' }) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => {
    wanted = () => setMounted(true);
    if (waiting.length > 0) setMounted(true);
    return whenIdle(() => setMounted(true));
  }, []);
  return mounted ? <ToastList theme={theme} /> : null;
}
