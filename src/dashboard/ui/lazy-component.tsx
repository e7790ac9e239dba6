'use client';
/**
 * What a page does not open with: parts in files of their own, loaded when they are first needed,
 * however long that takes.
 */
import dynamic from 'next/dynamic';
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl/react';
import { whenUnreachable } from '../read-error';
import { toast } from './overlay/toaster';

type Load<Props> = () => Promise<ComponentType<Props> | { default: ComponentType<Props> }>;

/** A component that is loaded when it is first shown; `loading` keeps its place until then. */
export function lazyComponent<Props>(load: Load<Props>, loading?: () => ReactNode): ComponentType<Props> {
  return dynamic(() => retryImport(load), { ssr: false, loading });
}

/**
 * Loads a part until it is loaded: one that fails would take the page with it, for good, since
 * React asks once. Meanwhile `LoadTrouble` says why nothing opens.
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

/** A part could not be loaded that can be asked for again by what asked for it. */
export const tellUnreachable = () => toast.error(whenUnreachable());

interface Trouble {
  /** The server is there: then it has another version of the page, without this part. */
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

/** Until there is a network again, or somebody presses "Try again": for all parts that wait. */
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

/** Says that a part could not be loaded, and what can be done. Once on a page. */
export function LoadTrouble() {
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
