'use client';
/** Components whose files are loaded on first use. A failed load is retried. */
import dynamic from 'next/dynamic';
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl/react';
import { getServerUnreachableMessage } from '../read-error';
import { toast } from './overlay/toaster';

type Load<Props> = () => Promise<ComponentType<Props> | { default: ComponentType<Props> }>;

/**
 * Returns a component whose file loads when it is first rendered. `loading` renders its
 * placeholder.
 */
export function lazyComponent<Props>(load: Load<Props>, loading?: () => ReactNode): ComponentType<Props> {
  return dynamic(() => retryImport(load), { ssr: false, loading });
}

/**
 * Loads a component and retries until it succeeds. Without retries, a failed load would be
 * permanent, because React requests a component only once. Meanwhile `LoadFailureNotice` shows the
 * problem.
 */
export async function retryImport<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (typeof window === 'undefined') throw error;
      await untilWorthAnotherTry();
    }
  }
}

/** Tells the user that a component could not be loaded. Repeating the action loads it again. */
export const notifyComponentLoadFailure = () => toast.error(getServerUnreachableMessage());

interface Trouble {
  /**
   * Whether the server responds. If it does, the file is missing because a newer version was
   * deployed.
   */
  server_answers: boolean;
  again: () => void;
}

let trouble: Trouble | null = null;
let told: () => void = () => {};

function tell(now: Trouble | null): void {
  trouble = now;
  told();
}

let waiting: Promise<void> | null = null;

/**
 * Waits until the browser is online again or the user clicks "Try again". All waiting components
 * share one promise.
 */
function untilWorthAnotherTry(): Promise<void> {
  waiting ??= new Promise<void>((again) => {
    window.addEventListener('online', () => again(), { once: true });
    void fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => tell({ server_answers: ok, again }),
      () => tell({ server_answers: false, again }),
    );
  }).finally(() => {
    waiting = null;
    tell(null);
  });
  return waiting;
}

function listen(tell_me: () => void): () => void {
  told = tell_me;
  return () => {
    told = () => {};
  };
}

/** Explains that a component could not be loaded and what to do. Each page renders this once. */
export function LoadFailureNotice() {
  const t = useTranslations('ui');
  const now = useSyncExternalStore(
    listen,
    () => trouble,
    () => null,
  );
  useEffect(() => {
    if (!now) return;
    const id = 'not-loaded';
    const options = { id, duration: Number.POSITIVE_INFINITY };
    if (now.server_answers) {
      const action = { label: t('load_the_page_again'), onClick: () => window.location.reload() };
      toast.error(t('part_not_loaded'), { ...options, action });
    } else {
      const action = { label: t('try_again'), onClick: now.again };
      toast.error(t('server_unreachable'), { ...options, description: t('opens_when_reached'), action });
    }
    return () => toast.dismiss(id);
  }, [now, t]);
  return null;
}
