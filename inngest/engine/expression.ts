/**
 * The part of the SDK's expressions that the engine understands: equalities joined by `&&`, each between a path into
 * `event` (what started the run) or `async` (what has just arrived) and another such path or a literal. It covers
 * `match`, `cancelOn` and the filter that the SDK writes for onFailure. Anything else is refused when it is parsed.
 */

import { canonicalJson } from '@/shared/canonical-json';

export type Operand = { kind: 'path'; root: 'event' | 'async'; path: string[] } | { kind: 'literal'; value: unknown };
export interface Equality {
  left: Operand;
  right: Operand;
}

const PATH = /^(event|async)((?:\.[A-Za-z_][A-Za-z0-9_]*)+)$/;
const QUOTED = /^(?:'((?:[^'\\]|\\['\\])*)'|"((?:[^"\\]|\\["\\])*)")$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Parses `a == b && …`. Throws an Error that quotes the part it does not understand. */
export function parseExpression(source: string): Equality[] {
  return splitOutsideQuotes(source, '&&').map((part) => {
    const sides = splitOutsideQuotes(part, '==');
    if (sides.length !== 2) throw new Error(`unsupported expression "${part.trim()}": only equality is supported`);
    const equality = { left: parseOperand(sides[0]!), right: parseOperand(sides[1]!) };
    if (isAsync(equality.left) && isAsync(equality.right)) {
      throw new Error(`unsupported expression "${part.trim()}": one side must not be async`);
    }
    return equality;
  });
}

/** Parses a bare path such as `event.data.team_id`. Throws an Error for anything else. */
export function parsePath(source: string): string[] {
  const operand = parseOperand(source);
  if (operand.kind !== 'path' || operand.root !== 'event') {
    throw new Error(`unsupported expression "${source}": only a path like event.data.x is supported`);
  }
  return operand.path;
}

/** The value at a path, or undefined where there is none. */
export function valueAt(object: unknown, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Whether an event satisfies equalities that speak of `event` alone. A path that leads nowhere equals nothing. */
export function matchesEvent(equalities: readonly Equality[], event: unknown): boolean {
  return equalities.every(({ left, right }) => {
    const a = resolve(left, event);
    const b = resolve(right, event);
    return a !== undefined && b !== undefined && sameJson(a, b);
  });
}

/** What an awaited event must hold: the values at the paths, both in JSON so that the database can compare them. */
export interface WaitPattern {
  paths: string;
  values: string;
}

/**
 * Turns equalities between `event` and `async` into a pattern for the awaited event, given the event that started the
 * run. Null when they can never hold (a path of the starting event leads nowhere, or two constants differ).
 */
export function waitPattern(equalities: readonly Equality[], event: unknown): WaitPattern | null {
  const required: [path: string[], value: unknown][] = [];
  for (const { left, right } of equalities) {
    const [asynchronous, other] = isAsync(left) ? [left, right] : [right, left];
    const value = resolve(other, event);
    if (value === undefined) return null;
    if (asynchronous.kind === 'path' && asynchronous.root === 'async') {
      required.push([asynchronous.path, value]);
      continue;
    }
    const constant = resolve(asynchronous, event);
    if (constant === undefined || !sameJson(constant, value)) return null;
  }
  // Sorted, so that equal conditions have equal keys whatever the order they were written in.
  required.sort((a, b) => (a[0].join('.') < b[0].join('.') ? -1 : 1));
  return {
    paths: JSON.stringify(required.map(([path]) => path)),
    values: canonicalJson(required.map(([, value]) => value)),
  };
}

/** The values that an arriving event holds at a pattern's paths; null when one of them leads nowhere. */
export function patternValues(paths: string, event: unknown): string | null {
  const values = (JSON.parse(paths) as string[][]).map((path) => valueAt(event, path));
  return values.includes(undefined) ? null : canonicalJson(values);
}

function sameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

export function isAsync(operand: Operand): boolean {
  return operand.kind === 'path' && operand.root === 'async';
}

function resolve(operand: Operand, event: unknown): unknown {
  if (operand.kind === 'literal') return operand.value;
  // A path into `async` has no value here: patterns handle it, and elsewhere it matches nothing.
  return operand.root === 'event' ? valueAt(event, operand.path) : undefined;
}

function parseOperand(source: string): Operand {
  const text = source.trim();
  const path = PATH.exec(text);
  if (path) return { kind: 'path', root: path[1] as 'event' | 'async', path: path[2]!.slice(1).split('.') };
  const quoted = QUOTED.exec(text);
  if (quoted) return { kind: 'literal', value: (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1') };
  if (NUMBER.test(text)) return { kind: 'literal', value: Number(text) };
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' };
  if (text === 'null') return { kind: 'literal', value: null };
  throw new Error(`unsupported expression "${text}": expected a path like event.data.x or a literal`);
}

function splitOutsideQuotes(source: string, separator: '&&' | '=='): string[] {
  const parts: string[] = [];
  let quote = '';
  let start = 0;
  for (let i = 0; i < source.length; i++) {
    const char = source[i]!;
    if (quote) {
      if (char === '\\') i++;
      else if (char === quote) quote = '';
    } else if (char === "'" || char === '"') {
      quote = char;
    } else if (source.startsWith(separator, i)) {
      parts.push(source.slice(start, i));
      i += separator.length - 1;
      start = i + 1;
    }
  }
  parts.push(source.slice(start));
  return parts;
}
