/** Whether this page has unsaved input. Nothing may then leave the page automatically. */
let typed_on: string | null = null;

const CHOICES = ['search', 'checkbox', 'radio', 'file', 'range', 'color'];

/** Returns whether the field takes text that would be lost. A choice is easy to repeat. */
export const isTextField = (field: EventTarget | null) =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && !CHOICES.includes(field.type));

if (typeof document !== 'undefined') {
  document.addEventListener('input', ({ target }) => {
    if (isTextField(target)) typed_on = window.location.pathname;
  });
}

export const hasUnsavedText = () => typed_on !== null && typed_on === window.location.pathname;

/** Called after saving. */
export function clearUnsavedText(): void {
  typed_on = null;
}
