/** The few helpers the page scripts share. */

/** The first element, typed by what is expected there. */
export function find<T extends Element>(selector: string, within: ParentNode = document): T | null {
  return within.querySelector<T>(selector);
}

/** Shows a picture, or hides it when there is none. */
export function showPicture(image: HTMLImageElement | null, src: string): void {
  if (!image) return;
  image.hidden = src === '';
  if (src) image.src = src;
  else image.removeAttribute('src');
}

/** Sets a live region's text; a screen reader speaks it. */
export function say(element: Element | null, text: string, kind: 'good' | 'bad' | null = null): void {
  if (!element) return;
  element.textContent = text;
  element.classList.toggle('status-good', kind === 'good');
  element.classList.toggle('status-bad', kind === 'bad');
}
