/**
 * The path of the page on which the user typed something that is not saved. While it is set, no
 * code may leave the page automatically.
 */
let typed_on: string | null = null;

const CHOICES = ['search', 'checkbox', 'radio', 'file', 'range', 'color'];

/**
 * Returns whether leaving the page would lose the field's text. Choices do not count, because they
 * are easy to repeat.
 */
export const isTextField = (field: EventTarget | null) =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && !CHOICES.includes(field.type));

if (typeof document !== 'undefined') {
  document.addEventListener('input', ({ target }) => {
    if (isTextField(target)) typed_on = window.location.pathname;
  });
}

export const hasUnsavedText = () => typed_on !== null && typed_on === window.location.pathname;

/** Called after the input was saved. */
export function resetUnsavedTextState(): void {
  typed_on = null;
}
