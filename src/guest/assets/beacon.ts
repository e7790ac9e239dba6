/**
 * Reports to the server, once, that a person sees the page: it was visible for a second, or was
 * touched while visible. Link scanners fetch pages without showing them, so a GET alone is no
 * evidence.
 */
import { isEmbedded } from './embed';

const VISIBLE_MS = 1_000;

export function startBeacon(): void {
  if (!('beacon' in document.body.dataset)) return;
  const signals = ['pointerdown', 'keydown', 'touchstart', 'wheel'] as const;
  let timer: number | undefined;
  let sent = false;

  const send = () => {
    if (sent || document.visibilityState !== 'visible') return;
    sent = true;
    window.clearTimeout(timer);
    document.removeEventListener('visibilitychange', watch);
    for (const signal of signals) window.removeEventListener(signal, onSignal);
    const url = `${location.pathname.replace(/\/$/, '')}/view${location.search}`;
    // Nothing on the page depends on the response.
    fetch(url, { method: 'POST', keepalive: true, credentials: 'same-origin' }).catch(() => undefined);
  };
  const onSignal = (event: Event) => {
    if (event.isTrusted) send();
  };
  const watch = () => {
    window.clearTimeout(timer);
    if (document.visibilityState === 'visible') timer = window.setTimeout(send, VISIBLE_MS);
  };

  const begin = () => {
    document.addEventListener('visibilitychange', watch);
    for (const signal of signals) window.addEventListener(signal, onSignal, { passive: true });
    watch();
  };
  if (!isEmbedded()) {
    begin();
    return;
  }
  // A frame counts as visible wherever it is on its page, although nobody has seen content below
  // the fold.
  const content = document.querySelector('main');
  if (!content) return;
  new IntersectionObserver((entries, observer) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    begin();
  }).observe(content);
}
