/**
 * `<threshold-sign url="…">`: a guest's signing page inside of a page of yours, which the property
 * has to list in `embed_origins`. Importing this file defines the element. It is for browsers, and
 * knows nothing of the API.
 */

interface ThresholdSignEvents {
  /** The page is there and can be read. */
  'threshold-ready': CustomEvent<null>;
  /**
   * The guest has signed, now or before. Ask the API, or wait for the webhook, before anything
   * depends on it.
   */
  'threshold-signed': CustomEvent<null>;
  /**
   * The guest wants to leave the page. Unless `preventDefault` is called, the element takes itself
   * away.
   */
  'threshold-closed': CustomEvent<null>;
}

declare global {
  interface HTMLElementTagNameMap {
    'threshold-sign': ThresholdSign;
  }
  interface HTMLElementEventMap extends ThresholdSignEvents {}
}

const LABEL = 'Read and sign before arrival';
/** Until the page says how high it is. */
const FIRST_HEIGHT_PX = 640;
const MOST_HEIGHT_PX = 100_000;

// A server that renders pages imports this file too.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * Attributes: `url`, the signing link; `label`, what a screen reader calls the frame, in your
 * guest's language. With a `max-height` of its own the element scrolls inside; without, it is as
 * high as the page.
 */
export class ThresholdSign extends Base {
  static readonly observedAttributes = ['url', 'label'];
  #frame: HTMLIFrameElement | null = null;
  #origin: string | null = null;
  #loads = 0;

  connectedCallback(): void {
    window.addEventListener('message', this.#hear);
    this.#show();
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#hear);
    this.#frame?.remove();
    this.#frame = null;
  }

  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return;
    if (name === 'url') this.#show();
    else if (this.#frame) this.#frame.title = this.#label;
  }

  get #label(): string {
    return this.getAttribute('label') || LABEL;
  }

  #show(): void {
    this.#frame?.remove();
    this.#frame = null;
    this.#loads = 0;
    const link = linkOf(this.getAttribute('url') ?? '');
    this.#origin = link?.origin ?? null;
    if (!link) return;
    const frame = document.createElement('iframe');
    frame.title = this.#label;
    // The page has to learn which site shows it, whatever this page's own policy is.
    frame.referrerPolicy = 'strict-origin';
    frame.allow = 'clipboard-write';
    frame.src = link.href;
    Object.assign(frame.style, { display: 'block', width: '100%', height: `${FIRST_HEIGHT_PX}px`, border: '0' });
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block';
    this.style.overflowY = 'auto';
    (this.shadowRoot ?? this.attachShadow({ mode: 'open' })).append(frame);
    this.#frame = frame;
  }

  /** What the frame says, and nobody else. */
  readonly #hear = ({ source, origin, data }: MessageEvent): void => {
    const frame = this.#frame;
    if (!frame || source !== frame.contentWindow || origin !== this.#origin) return;
    if (data?.type === 'threshold:resize' && Number.isFinite(data.height)) {
      frame.style.height = `${Math.min(Math.max(data.height, 0), MOST_HEIGHT_PX)}px`;
    } else if (data?.type === 'threshold:ready') {
      frame.contentWindow?.postMessage({ type: 'threshold:closable' }, origin);
      // A page that takes another's place begins at its top.
      if (++this.#loads > 1 && this.getBoundingClientRect().top < 0) this.scrollIntoView();
      this.#tell('threshold-ready');
    } else if (data?.type === 'threshold:signed') {
      this.#tell('threshold-signed');
    } else if (data?.type === 'threshold:closed' && this.#tell('threshold-closed')) {
      this.remove();
    }
  };

  #tell(type: keyof ThresholdSignEvents): boolean {
    return this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, cancelable: true, detail: null }));
  }
}

/**
 * A link that a frame may open: https, or http on one's own machine. Nothing that a script could
 * hide in.
 */
function linkOf(text: string): URL | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const local = url.hostname === 'localhost' || url.hostname.endsWith('.localhost') || url.hostname === '127.0.0.1';
  return url.protocol === 'https:' || (url.protocol === 'http:' && local) ? url : null;
}

if (globalThis.customElements && !customElements.get('threshold-sign'))
  customElements.define('threshold-sign', ThresholdSign);
