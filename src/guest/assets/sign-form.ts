/**
 * The script of the signing form. It shows errors and the review dialog, requests the one-time
 * code, and prevents a second submission.
 */
import { findElement, setLiveRegionText, showOrHidePicture } from './dom';
import { isPageEmbedded } from './embed';

export function startSignForm(): void {
  const form = findElement<HTMLFormElement>('#sign-form');
  const dialog = findElement<HTMLDialogElement>('#review');
  if (!form) return;
  startCodeButton(form);
  // Without <dialog>, the form works as without JavaScript: the server renders the review.
  if (!dialog || typeof dialog.showModal !== 'function') return;
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    const submitter = (event as SubmitEvent).submitter as HTMLButtonElement | null;
    if (submitter?.value === 'send_code') return;
    event.preventDefault();
    if (showErrors(form)) return;
    fillReview(form, dialog);
    dialog.showModal();
    if (isPageEmbedded()) placeNear(dialog, (event as SubmitEvent).submitter);
    findElement<HTMLElement>('h2', dialog)?.focus();
  });
  findElement('[data-review-back]', dialog)?.addEventListener('click', () => dialog.close());
  const confirm = findElement<HTMLButtonElement>('[data-review-confirm]', dialog);
  const confirmText = confirm?.textContent ?? '';
  confirm?.addEventListener('click', () => {
    if (!navigator.onLine) {
      dialog.close();
      const status = findElement<HTMLElement>('#form-status');
      setLiveRegionText(status, status?.dataset.offline ?? '', 'bad');
      status?.scrollIntoView({ block: 'center' });
      return;
    }
    confirm.disabled = true;
    confirm.textContent = confirm.dataset.sending ?? confirmText;
    form.submit();
  });
  // When the guest goes back, the browser may restore this page with the dialog open and the button
  // disabled.
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted || !confirm) return;
    confirm.disabled = false;
    confirm.textContent = confirmText;
    dialog.close();
  });
}

/**
 * Places the dialog near the button. An embedded page is as high as its content, so the middle of
 * the frame may be out of view.
 */
function placeNear(dialog: HTMLDialogElement, button: HTMLElement | null): void {
  const bottom = button?.getBoundingClientRect().bottom ?? 0;
  const top = Math.min(bottom, window.innerHeight - 16) - dialog.offsetHeight;
  dialog.style.insetBlock = `${Math.max(16, top)}px auto`;
  dialog.style.marginBlock = '0';
}

const value = (form: HTMLFormElement, name: string) =>
  findElement<HTMLInputElement>(`input[name="${name}"]`, form)?.value ?? '';

/**
 * Shows every missing input next to its field and in the summary. Returns whether any input is
 * missing.
 */
function showErrors(form: HTMLFormElement): boolean {
  const missing = [
    { field: 'otp_code', wrong: findElement('#otp_code') !== null && value(form, 'otp_code').trim() === '' },
    { field: 'photo', wrong: findElement('[data-photo]') !== null && value(form, 'photo') === '' },
    { field: 'typed_name', wrong: value(form, 'typed_name').trim() === '' },
    // Checkboxes for the consent and for statements that are accepted separately.
    ...[...form.querySelectorAll<HTMLInputElement>('[data-tick]')].map(({ id, checked }) => ({
      field: id,
      wrong: !checked,
    })),
  ];
  const summary = findElement<HTMLElement>('#errors');
  const list = summary && findElement<HTMLUListElement>('ul', summary);
  list?.replaceChildren();
  for (const { field, wrong } of missing) {
    const input = findElement<HTMLElement>(`#${field}`);
    const error = findElement<HTMLElement>(`#${field}-error`);
    if (!error) continue;
    const text = error.dataset.required ?? '';
    const line = findElement('span', error);
    if (line) line.textContent = wrong ? text : '';
    error.hidden = !wrong;
    if (!wrong) {
      input?.removeAttribute('aria-invalid');
      continue;
    }
    input?.setAttribute('aria-invalid', 'true');
    const link = document.createElement('a');
    link.href = `#${field}`;
    link.textContent = text;
    const item = document.createElement('li');
    item.append(link);
    list?.append(item);
  }
  const count = missing.filter((entry) => entry.wrong).length;
  if (summary) {
    summary.hidden = count === 0;
    const title = findElement('#errors-title', summary);
    // The server provides one text for each count, because languages have different plural forms.
    if (title) title.textContent = form.dataset.errors?.split('\n')[count - 1] ?? '';
    if (count > 0) scrollToAndFocusElement(summary);
  }
  return count > 0;
}

function fillReview(form: HTMLFormElement, dialog: HTMLDialogElement): void {
  const name = findElement('[data-review-name]', dialog);
  if (name) name.textContent = value(form, 'typed_name').trim();
  for (const [field, row] of [
    ['drawn_signature', '[data-review-drawing]'],
    ['photo', '[data-review-photo]'],
  ] as const) {
    const box = findElement<HTMLElement>(row, dialog);
    const picture = value(form, field);
    if (!box) continue;
    box.hidden = picture === '';
    showOrHidePicture(findElement<HTMLImageElement>('img', box), picture);
  }
}

/** Requests a code in the background. A page load would lose the drawing and the photo. */
function startCodeButton(form: HTMLFormElement): void {
  const button = findElement<HTMLButtonElement>('[data-send-code]');
  const status = findElement<HTMLElement>('#code-status');
  if (!button || !status) return;
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    const { sending = '', sent = '', failed = '', resend = '' } = button.dataset;
    button.disabled = true;
    setLiveRegionText(status, sending);
    try {
      const answer = await fetch(location.href, {
        method: 'POST',
        headers: { Accept: 'application/json' },
        body: new URLSearchParams({
          intent: 'send_code',
          locale: value(form, 'locale'),
          displayed_hash: value(form, 'displayed_hash'),
        }),
      });
      if (!answer.ok) throw new Error(String(answer.status));
      setLiveRegionText(status, sent, 'good');
      button.textContent = resend;
      findElement<HTMLInputElement>('#otp_code')?.focus();
    } catch {
      setLiveRegionText(status, failed, 'bad');
    }
    button.disabled = false;
  });
}

/** Scrolls a message into view and focuses it. */
export function scrollToAndFocusElement(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'start' });
}
