/**
 * The script of the guest pages. All pages work without it, except that guests cannot draw a
 * signature. Each part searches for its elements, and does nothing on pages without them.
 */
import { startPageViewBeacon } from './beacon';
import { findElement, setLiveRegionText } from './dom';
import { startIframeEmbedding } from './embed';
import { startPhotoField } from './photo';
import { scrollToAndFocusElement, startSignForm } from './sign-form';
import { startSignaturePad } from './signature-pad';
import { startFileVerification } from './verify-file';

document.documentElement.classList.add('js');
// Runs first, because it adds the embedding site to the page's URL, which the other parts send.
startIframeEmbedding();
startPageViewBeacon();
startSignaturePad();
startPhotoField();
startSignForm();
startFileVerification();
startCopyButtons();
startLanguageMenu();
focusOnMessage();

/** Moves the focus to the error message when the server returns a form. */
function focusOnMessage(): void {
  const message = findElement<HTMLElement>('#errors:not([hidden])') ?? findElement<HTMLElement>('#changed');
  if (message) scrollToAndFocusElement(message);
}

function startCopyButtons(): void {
  for (const button of Array.from(document.querySelectorAll<HTMLButtonElement>('[data-copy]'))) {
    if (!navigator.clipboard) {
      button.hidden = true;
      continue;
    }
    button.addEventListener('click', async () => {
      const label = findElement('span', button);
      try {
        await navigator.clipboard.writeText(button.dataset.copy ?? '');
      } catch {
        return;
      }
      if (label) label.textContent = button.dataset.copied ?? '';
      setLiveRegionText(findElement('[data-copy-status]'), button.dataset.copied ?? '');
    });
  }
}

/** Closes the language menu on Escape and on a click elsewhere. */
function startLanguageMenu(): void {
  const menu = findElement<HTMLDetailsElement>('.languages');
  if (!menu) return;
  document.addEventListener('click', (event) => {
    if (!menu.contains(event.target as Node)) menu.open = false;
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    findElement<HTMLElement>('summary', menu)?.focus();
  });
}
