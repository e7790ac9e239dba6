import type { FieldErrors, FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form';

/** Error messages by field. */
export type FieldErrorMessages<Values> = Partial<Record<keyof Values, string>>;

/** Returns the validation of a form. `find` returns the error messages by field. */
export const createFormResolver =
  <Values extends FieldValues>(
    find: (values: Values) => FieldErrorMessages<Values> | Promise<FieldErrorMessages<Values>>,
  ): Resolver<Values> =>
  async (values) => {
    const found = Object.entries(await find(values));
    if (found.length === 0) return { values, errors: {} };
    const errors = Object.fromEntries(found.map(([field, message]) => [field, { type: 'schema', message }]));
    return { values: {}, errors: errors as FieldErrors<Values> };
  };

/** Returns the field that a server's error names, or null when the form has no such field. */
export const findFieldNamedByError = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name?: string | null,
): Path<Values> | null => (name && name in form.getValues() ? (name as Path<Values>) : null);

/** Focuses the field that a server's error names, if the form has it. */
export function focusFieldNamedByError<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: string | null,
): void {
  const field = findFieldNamedByError(form, name);
  if (field) form.setFocus(field);
}
