/** Results with refusals, in the language of the host who asked. */
import { isRefusal, type Translated } from '@/shared/refusals/refusal';
import type { ApiContext } from './context';

/**
 * The same result with each refusal as a sentence: in the caller's language, or else in English.
 */
export function translateMessages<Result>(
  result: Result,
  { translate = String }: Pick<ApiContext, 'translate'>,
): Translated<Result> {
  const visit = (value: unknown): unknown => {
    if (isRefusal(value)) return translate(value);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, visit(part)]));
  };
  return visit(result) as Translated<Result>;
}
