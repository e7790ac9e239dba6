/** Results that hold sentences of ours, in the language of the host who asked. */
import type { ApiContext } from './context';

/** The fields that hold one: why a row was refused, what is wrong with a file or a line of it. */
const SENTENCES: ReadonlySet<string> = new Set(['message', 'problem', 'repeated']);

/** The same result, its sentences said in the caller's language (`say` of the context). */
export function said<Result>(result: Result, { say }: Pick<ApiContext, 'say'>): Result {
  if (!say) return result;
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        typeof part === 'string' && SENTENCES.has(name) ? say(part) : visit(part),
      ]),
    );
  };
  return visit(result) as Result;
}
