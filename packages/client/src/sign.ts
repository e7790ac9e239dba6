/**
 * `<threshold-sign url="…">`: embeds a guest's signing page in your page. The property must list
 * your site in `embed_origins`. Importing this file defines the element. The element works in
 * browsers only and does not call the API.
 */

interface ThresholdSignEvents {
  /** The page has loaded. */
  'threshold-ready': CustomEvent<null>;
  /**
   * The guest has signed, now or earlier. Check with the API or wait for the webhook before you
   * rely on it.
   */
  'threshold-signed': CustomEvent<null>;
  /**
   * The guest wants to close the page. Unless `preventDefault` is called, the element removes
   * itself.
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
/** The height of the frame until the page reports its own height. */
const FIRST_HEIGHT_PX = 640;
const MOST_HEIGHT_PX = 100_000;

// A server that renders pages may also import this file. It has no HTMLElement.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * Attributes: `url` is the signing link, and `label` is the frame's accessible name in the guest's
 * language. With a `max-height` style the element scrolls. Otherwise it is as high as the page.
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
    // The signing page needs the embedding site's origin, even if this page's referrer policy hides
    // it.
    frame.referrerPolicy = 'strict-origin';
    frame.allow = 'clipboard-write';
    frame.src = link.href;
    Object.assign(frame.style, { display: 'block', width: '100%', height: `${FIRST_HEIGHT_PX}px`, border: '0' });
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block';
    this.style.overflowY = 'auto';
    (this.shadowRoot ?? this.attachShadow({ mode: 'open' })).append(frame);
    this.#frame = frame;
  }

  /** Handles messages from the frame. Ignores all others. */
  readonly #hear = ({ source, origin, data }: MessageEvent): void => {
    const frame = this.#frame;
    if (!frame || source !== frame.contentWindow || origin !== this.#origin) return;
    if (data?.type === 'threshold:resize' && Number.isFinite(data.height)) {
      frame.style.height = `${Math.min(Math.max(data.height, 0), MOST_HEIGHT_PX)}px`;
    } else if (data?.type === 'threshold:ready') {
      frame.contentWindow?.postMessage({ type: 'threshold:closable' }, origin);
      // A new page in the frame begins at its top, so the host page scrolls there.
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
 * Returns a link that the frame may open: https, or http on localhost. Returns null for all other
 * links, because some schemes run scripts.
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
