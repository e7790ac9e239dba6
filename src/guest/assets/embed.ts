/**
 * Support for embedding in a page of another site. The browser shows the frame only on sites that
 * the property lists (`frame-ancestors`). The embedding site's origin, which the browser reports,
 * is added to the page's own address, so that every form and the beacon send it to the server. Only
 * that site receives messages, and these contain only the guest's progress and the height of the
 * page.
 */
import { find } from './dom';

const PARAMETER = 'embedded_in';

type EmbedMessage = { type: 'ready' | 'signed' | 'closed' } | { type: 'resize'; height: number };

export const isEmbedded = (): boolean => window.parent !== window;

export function startEmbedding(): void {
  const origin = isEmbedded() ? parentOrigin() : null;
  setAddress(origin);
  if (!isEmbedded()) return;
  document.documentElement.classList.add('embedded');
  openLinksOutside();
  if (!origin) return;

  const tell = ({ type, ...rest }: EmbedMessage) =>
    window.parent.postMessage({ type: `threshold:${type}`, ...rest }, origin);
  const close = find<HTMLElement>('[data-close]');
  window.addEventListener('message', ({ source, origin: from, data }) => {
    // The embedding page announces that it can close the frame. Otherwise the button would do
    // nothing and stays hidden.
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
 * The origin of the embedding page: from the browser itself, otherwise from the referrer of the
 * frame's first page.
 */
function parentOrigin(): string | null {
  // Not supported by every browser.
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
 * Adds the embedding site to the page's address. A page in its own window has none, even if its
 * address was copied from a frame.
 */
function setAddress(origin: string | null): void {
  const url = here();
  if (url.searchParams.get(PARAMETER) === origin) return;
  if (origin) url.searchParams.set(PARAMETER, origin);
  else url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, '', url.href);
}

/** Other pages (the copy, the certificate) may not be framed, so they open in a new window. */
function openLinksOutside(): void {
  for (const link of Array.from(document.querySelectorAll<HTMLAnchorElement>('a[href]'))) {
    if (link.origin === location.origin && link.pathname === location.pathname) continue;
    link.target = '_blank';
    link.rel = 'noopener';
  }
}
