/**
 * Supports embedding in a page of another site. Browsers show the frame only on sites that the
 * property lists (`frame-ancestors`). This script adds the origin of the embedding site to the
 * page's own URL, so that every form and the beacon send the origin to the server. Messages are
 * sent only to that site, and contain only the guest's progress and the height of the page.
 */
import { findElement } from './dom';

const PARAMETER = 'embedded_in';

type EmbedMessage = { type: 'ready' | 'signed' | 'closed' } | { type: 'resize'; height: number };

export const isPageEmbedded = (): boolean => window.parent !== window;

export function startIframeEmbedding(): void {
  const origin = isPageEmbedded() ? parentOrigin() : null;
  setAddress(origin);
  if (!isPageEmbedded()) return;
  document.documentElement.classList.add('embedded');
  openLinksOutside();
  if (!origin) return;

  const tell = ({ type, ...rest }: EmbedMessage) =>
    window.parent.postMessage({ type: `threshold:${type}`, ...rest }, origin);
  const close = findElement<HTMLElement>('[data-close]');
  window.addEventListener('message', ({ source, origin: from, data }) => {
    // The embedding page announced that it can close the frame. The button stays hidden otherwise,
    // because it would have no effect.
    if (source === window.parent && from === origin && data?.type === 'threshold:closable' && close)
      close.hidden = false;
  });
  close?.addEventListener('click', () => tell({ type: 'closed' }));
  tell({ type: 'ready' });
  new ResizeObserver(() => {
    tell({ type: 'resize', height: Math.ceil(document.documentElement.getBoundingClientRect().height) });
  }).observe(document.documentElement);
  if ('signed' in document.body.dataset) tell({ type: 'signed' });
}

/**
 * Returns the origin of the embedding page. Uses the browser's `ancestorOrigins`, otherwise the
 * referrer of the frame's first page.
 */
function parentOrigin(): string | null {
  // Some browsers do not support `ancestorOrigins`.
  const [ancestor] = Array.from((location as { ancestorOrigins?: ArrayLike<string> }).ancestorOrigins ?? []);
  const referrer = document.referrer ? new URL(document.referrer) : null;
  const known =
    ancestor ??
    (referrer && referrer.origin !== location.origin
      ? referrer.origin
      : (here().searchParams.get(PARAMETER) ?? referrer?.searchParams.get(PARAMETER)));
  try {
    const { origin, protocol } = new URL(known ?? '');
    return /^https?:$/.test(protocol) ? origin : null;
  } catch {
    return null;
  }
}

const here = () => new URL(location.href);

/**
 * Adds the embedding site to the page's URL. Removes it when the page is in its own window, for
 * example because the URL was copied from a frame.
 */
function setAddress(origin: string | null): void {
  const url = here();
  if (url.searchParams.get(PARAMETER) === origin) return;
  if (origin) url.searchParams.set(PARAMETER, origin);
  else url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, '', url.href);
}

/**
 * Makes links to other pages (the copy, the certificate) open in a new window, because those pages
 * must not be embedded.
 */
function openLinksOutside(): void {
  for (const link of Array.from(document.querySelectorAll<HTMLAnchorElement>('a[href]'))) {
    if (link.origin === location.origin && link.pathname === location.pathname) continue;
    link.target = '_blank';
    link.rel = 'noopener';
  }
}
