/** Translates the refusals in results to the language of the calling host. */
import { isRefusal, type ResultWithTranslatedRefusals } from '@/shared/refusals/refusal';
import type { ApiContext } from './context';

/**
 * Returns the result with each refusal as a sentence in the caller's language. The sentence is in
 * English when that language is unknown.
 */
export function translateMessages<Result>(
  result: Result,
  { translate = String }: Pick<ApiContext, 'translate'>,
): ResultWithTranslatedRefusals<Result> {
  const visit = (value: unknown): unknown => {
    if (isRefusal(value)) return translate(value);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, visit(part)]));
  };
  return visit(result) as ResultWithTranslatedRefusals<Result>;
}
