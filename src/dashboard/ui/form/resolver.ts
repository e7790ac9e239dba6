import type { FieldErrors, FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form';

/** Error messages by field. */
export type FieldMessages<Values> = Partial<Record<keyof Values, string>>;

/**
 * Validates a form with one function. A message stays next to its field until the field is valid.
 */
export const createResolver =
  <Values extends FieldValues>(
    find: (values: Values) => FieldMessages<Values> | Promise<FieldMessages<Values>>,
  ): Resolver<Values> =>
  async (values) => {
    const found = Object.entries(await find(values));
    if (found.length === 0) return { values, errors: {} };
    const errors = Object.fromEntries(found.map(([field, message]) => [field, { type: 'schema', message }]));
    return { values: {}, errors: errors as FieldErrors<Values> };
  };

/** Returns the field that a refusal names, or null when the form has no such field. */
export const findNamedField = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name?: string | null,
): Path<Values> | null => (name && name in form.getValues() ? (name as Path<Values>) : null);

/** Focuses the field that a refusal of the server names, if the form has it. */
export function focusNamedField<Values extends FieldValues>(form: UseFormReturn<Values>, name: string | null): void {
  const field = findNamedField(form, name);
  if (field) form.setFocus(field);
}
