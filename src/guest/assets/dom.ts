/** Helpers that the page scripts share. */

/** Returns the first matching element as `T`. Returns null when there is none. */
export function findElement<T extends Element>(selector: string, within: ParentNode = document): T | null {
  return within.querySelector<T>(selector);
}

/** Shows a picture, or hides the element when there is no picture. */
export function showOrHidePicture(image: HTMLImageElement | null, src: string): void {
  if (!image) return;
  image.hidden = src === '';
  if (src) image.src = src;
  else image.removeAttribute('src');
}

/** Sets the text of a live region, which screen readers announce. */
export function setLiveRegionText(element: Element | null, text: string, kind: 'good' | 'bad' | null = null): void {
  if (!element) return;
  element.textContent = text;
  element.classList.toggle('status-good', kind === 'good');
  element.classList.toggle('status-bad', kind === 'bad');
}
