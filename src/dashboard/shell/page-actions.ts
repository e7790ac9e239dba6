/**
 * Finds the page's actions, which are the enabled buttons next to its title. The command palette
 * lists and clicks these buttons, so pages need not declare their actions twice.
 */

export interface PageHeaderAction {
  label: string;
  press: () => void;
}

/** Returns the buttons that act at once. Omits buttons that open a menu. */
export function findPageActionButtons(): PageHeaderAction[] {
  const all = document.querySelectorAll<HTMLElement>('[data-page-actions] :is(button, a[href])');
  return [...all]
    .filter((button) => !button.matches(':disabled, [aria-disabled="true"], [aria-haspopup]') && isShown(button))
    .map((button) => ({ label: button.textContent?.trim() ?? '', press: () => button.click() }))
    .filter(({ label }) => label !== '');
}

const isShown = (element: HTMLElement) => element.getClientRects().length > 0;
