import type { Route } from './types.js';

export type Group = Readonly<Record<string, Route>>;
type Rows<Prefix extends string, Given> = {
  readonly [Name in keyof Given]: Given[Name] extends `${infer Before}~${infer After}`
    ? `${Before}${Prefix}${After}`
    : Given[Name];
};

/**
 * Replaces `~` in the given operations by the path prefix that most of them share. The shortened
 * texts keep the client small.
 */
export const under = <const Prefix extends string, const Given extends Readonly<Record<string, string>>>(
  prefix: Prefix,
  given: Given,
) =>
  Object.fromEntries(Object.entries(given).map(([name, row]) => [name, row.replace('~', prefix)])) as unknown as Rows<
    Prefix,
    Given
  >;
