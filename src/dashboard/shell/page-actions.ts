/**
 * What can be done with what the page is about: the buttons next to its title, with their words, in
 * the state they are in. The palette presses them, so that nothing has to be told twice what a page
 * can do.
 */

export interface PageAction {
  label: string;
  press: () => void;
}

/** Those that act now; what opens a menu does nothing by its name alone. */
export function pageActions(): PageAction[] {
  const all = document.querySelectorAll<HTMLElement>('[data-page-actions] :is(button, a[href])');
  return [...all]
    .filter((button) => !button.matches(':disabled, [aria-disabled="true"], [aria-haspopup]') && isShown(button))
    .map((button) => ({ label: button.textContent?.trim() ?? '', press: () => button.click() }))
    .filter(({ label }) => label !== '');
}

const isShown = (element: HTMLElement) => element.getClientRects().length > 0;
