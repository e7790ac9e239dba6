/**
 * Converts a property's form to an update, with the API's own schema. Loaded on first use, because
 * the schema needs zod. Pure.
 */
import type { z } from 'zod';
import { PropertyUpdate } from '@/modules/properties/schemas';
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import { describeSchemaIssue } from '../i18n/schema-words';
import type { PropertyChanges, PropertyFieldErrors, PropertyFormField, PropertyFormValues } from './property-values';

/**
 * Converts one field to the API's type. An empty text becomes null, and hours become a number (NaN
 * when invalid).
 */
function inputOf(field: PropertyFormField, value: PropertyFormValues[PropertyFormField]): unknown {
  if (typeof value !== 'string' || field === 'name') return value;
  const text = value.trim();
  if (field === 'embed_origins') return text.split(/[\s,]+/).filter(Boolean);
  if (text === '') return null;
  if (field === 'auto_send_offset_hours') return Number(text);
  // Users paste whole URLs, but only the host name is needed.
  if (field === 'custom_domain') return text.replace(/^https?:\/\//i, '').split('/', 1)[0];
  return text;
}

/** The functions that translate error messages. */
export interface PropertyErrorTranslators {
  own: NamespaceTranslator<'properties'>;
  ui: NamespaceTranslator<'ui'>;
}

function wording(field: PropertyFormField, issue: z.core.$ZodIssue, words: PropertyErrorTranslators): string {
  if (field === 'name' && !issue.message.startsWith('must')) return words.own('name_missing');
  if (field === 'auto_send_offset_hours') return words.own('hours_wrong');
  return describeSchemaIssue(issue, words.ui);
}

/** Returns the named fields as an update, or their errors. */
export function parsePropertyFormValues(
  values: Partial<PropertyFormValues>,
  words: PropertyErrorTranslators,
): { ok: true; changes: PropertyChanges } | { ok: false; errors: PropertyFieldErrors } {
  const fields = Object.keys(values) as PropertyFormField[];
  const input = Object.fromEntries(
    fields.map((field) => [field, inputOf(field, values[field] as PropertyFormValues[PropertyFormField])]),
  );
  const parsed = PropertyUpdate.omit({ id: true }).safeParse(input);
  if (parsed.success) return { ok: true, changes: parsed.data };
  const errors: PropertyFieldErrors = {};
  for (const issue of parsed.error.issues) {
    const field = issue.path[0] as PropertyFormField;
    errors[field] ??= wording(field, issue, words);
  }
  return { ok: false, errors };
}
