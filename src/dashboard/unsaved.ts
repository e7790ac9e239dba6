/**
 * Whether something was typed on this page that nobody has saved: nothing may then lead away from
 * it by itself.
 */
let typed_on: string | null = null;

const CHOICES = ['search', 'checkbox', 'radio', 'file', 'range', 'color'];

/** Whether somebody types into it what would be lost; a choice is soon made again. */
export const isText = (field: EventTarget | null) =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && !CHOICES.includes(field.type));

if (typeof document !== 'undefined') {
  document.addEventListener('input', ({ target }) => {
    if (isText(target)) typed_on = window.location.pathname;
  });
}

export const hasUnsavedText = () => typed_on !== null && typed_on === window.location.pathname;

/** Something was saved. */
export function forgetTyped(): void {
  typed_on = null;
}
