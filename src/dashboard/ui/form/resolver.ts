import type { FieldErrors, FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form';

/** What is wrong with a form's values, in words. */
export type Wrong<Values> = Partial<Record<keyof Values, string>>;

/**
 * Validates a form with one function. Its message is next to each field until that field is valid.
 */
export const resolverOf =
  <Values extends FieldValues>(find: (values: Values) => Wrong<Values> | Promise<Wrong<Values>>): Resolver<Values> =>
  async (values) => {
    const found = Object.entries(await find(values));
    if (found.length === 0) return { values, errors: {} };
    const errors = Object.fromEntries(found.map(([field, message]) => [field, { type: 'schema', message }]));
    return { values: {}, errors: errors as FieldErrors<Values> };
  };

/** The form's field that a refusal names. Null when it names none of them. */
export const namedField = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name?: string | null,
): Path<Values> | null => (name && name in form.getValues() ? (name as Path<Values>) : null);

/**
 * Goes to the field that the server names in a refusal, wherever in the form it is; nowhere when
 * the form has none of that name.
 */
export function focusNamed<Values extends FieldValues>(form: UseFormReturn<Values>, name: string | null): void {
  const field = namedField(form, name);
  if (field) form.setFocus(field);
}
