/**
 * Maps the stacks of minified code to the sources. Node's `--enable-source-maps` keeps the map of
 * every loaded file in memory (76 MB here, a third of the heap, which each garbage collection
 * scans) for the rare log line that needs one. This file reads a map when an error is logged, and
 * then releases it.
 */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Matches the end of a stack frame: line and column. */
const PLACE_END = /:(\d{1,9}):(\d{1,9})\)?$/;
/**
 * At most one stack a second is mapped, because reading a map takes milliseconds and only people
 * read the result.
 */
const EVERY_MS = 1000;
const MAX_FRAMES = 30;

let read_at = Number.NEGATIVE_INFINITY;

/**
 * Returns the stack with source positions for files that have a source map next to them. Other
 * lines are unchanged. Never throws.
 */
export function toReadableStackTrace(stack: string): string {
  if (performance.now() - read_at < EVERY_MS) return stack;
  read_at = performance.now();
  const maps = new Map<string, SourceMap | undefined>();
  return stack
    .split('\n')
    .map((line, index) => (index > MAX_FRAMES ? line : readableFrame(line, maps)))
    .join('\n');
}

function readableFrame(line: string, maps: Map<string, SourceMap | undefined>): string {
  const end = PLACE_END.exec(line);
  if (!end) return line;
  const bracket = line.indexOf(' (');
  const from = bracket < 0 ? line.lastIndexOf(' ', end.index) + 1 : bracket + 2;
  const place = line.slice(from, end.index);
  const file = place.startsWith('file:///') ? fileURLToPath(place) : place;
  if (!isAbsolute(file)) return line;
  if (!maps.has(file)) maps.set(file, mapOf(file));
  const entry = maps.get(file)?.findEntry(Number(end[1]) - 1, Number(end[2]) - 1);
  if (!entry || !('originalSource' in entry)) return line;
  const source = resolve(dirname(file), entry.originalSource);
  const at = `${relative('.', source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return `${line.slice(0, from)}${at}${bracket < 0 ? '' : ')'}`;
}

function mapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
