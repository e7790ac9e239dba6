/**
 * Reports once that a person sees the page, which must be visible for a second or touched while
 * visible. A GET request alone proves nothing, because link scanners also send it.
 */
import { isPageEmbedded } from './embed';

const VISIBLE_MS = 1_000;

export function startPageViewBeacon(): void {
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
    // Failures are ignored, because nothing on the page depends on the response.
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
  if (!isPageEmbedded()) {
    begin();
    return;
  }
  // Browsers treat an embedded page as visible even when it is outside of the window. The observer
  // waits until its content is in view.
  const content = document.querySelector('main');
  if (!content) return;
  new IntersectionObserver((entries, observer) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    begin();
  }).observe(content);
}
