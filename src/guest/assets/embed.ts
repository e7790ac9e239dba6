/**
 * The page inside of a page of another site. The browser shows it there if the property lists that site (`frame-ancestors`), and to
 * nobody else. Which site it is, the browser is asked, and the answer goes into the page's own address: so every form and the
 * beacon carry it to the server. That site alone hears from here, and nothing but how far the guest is and how high the page is.
 */
import { find } from './dom';

const PARAMETER = 'embedded_in';

type Told = { type: 'ready' | 'signed' | 'closed' } | { type: 'resize'; height: number };

export const isEmbedded = (): boolean => window.parent !== window;

export function startEmbedding(): void {
  const origin = isEmbedded() ? parentOrigin() : null;
  setAddress(origin);
  if (!isEmbedded()) return;
  document.documentElement.classList.add('embedded');
  openLinksOutside();
  if (!origin) return;

  const tell = ({ type, ...rest }: Told) => window.parent.postMessage({ type: `threshold:${type}`, ...rest }, origin);
  const close = find<HTMLElement>('[data-close]');
  window.addEventListener('message', ({ source, origin: from, data }) => {
    // Whoever shows the page says that it can close it; a button that does nothing is not shown.
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

/** The site that shows the page: from the browser itself, else from where the frame's first page was asked for. */
function parentOrigin(): string | null {
  // Not in every browser.
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

/** Puts the site into the page's address; a page in a window of its own has none, whatever its address was copied from. */
function setAddress(origin: string | null): void {
  const url = here();
  if (url.searchParams.get(PARAMETER) === origin) return;
  if (origin) url.searchParams.set(PARAMETER, origin);
  else url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, '', url.href);
}

/** Other pages (the copy, the certificate) are shown in no frame: they open in a window of their own. */
function openLinksOutside(): void {
  for (const link of Array.from(document.querySelectorAll<HTMLAnchorElement>('a[href]'))) {
    if (link.origin === location.origin && link.pathname === location.pathname) continue;
    link.target = '_blank';
    link.rel = 'noopener';
  }
}
