#!/usr/bin/env node
/**
 * The entry point of the command line. Parses arguments, runs the command, and exits with 0, 1 or
 * 2.
 */
import { writeFileSync } from 'node:fs';
import { Threshold, ThresholdError } from '@threshold/client';
import { type Arguments, readArguments } from './arguments.js';
import { signAsGuest } from './guest.js';
import { COMMANDS, completions, help, helpFor, MORE_VERBS } from './help.js';
import { forward, readTarget, sessionSecret } from './listen.js';
import { login } from './login.js';
import { cell, facts, json, note, print, table } from './output.js';
import { LISTS, RESOURCES, type Verb } from './resources.js';
import { access, removeSettings } from './settings.js';
import { tail } from './tail.js';
import { trigger } from './trigger.js';
import { Failure, UsageError } from './usage.js';

const VERSION = '0.1.0';

type Call = (...given: unknown[]) => unknown;

const text = (value: string | true | undefined) => (typeof value === 'string' ? value : undefined);

/** Returns a signal that aborts when the user interrupts the command. */
function untilStopped(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

function clientFor({ options }: Arguments, only_test = false): Threshold {
  const live = options.live === true;
  if (live && only_test) throw new UsageError('This command only works with test data. Remove --live.');
  const { api_root, key } = access({ live, api_root: text(options['api-root']) });
  return new Threshold({ apiKey: key, baseUrl: api_root });
}

async function run(given: Arguments): Promise<void> {
  const { words, options } = given;
  const [first, second] = words;
  if (options.version || first === 'version') return print(VERSION);
  if (!first && !options.help) throw new UsageError(help());
  if (!first || first === 'help') return print(second ? helpFor(second) : help());
  if (options.help) return print(helpFor(first));
  if (Object.hasOwn(RESOURCES, first))
    return second && Object.hasOwn(MORE_VERBS[first] ?? {}, second) ? runMore(given) : runVerb(given);
  if (!Object.hasOwn(COMMANDS, first)) throw new UsageError(`There is no command ${first}. See: threshold help`);
  return runCommand(given, first);
}

async function runCommand(given: Arguments, first: string): Promise<void> {
  const { words, options } = given;
  switch (first) {
    case 'login': {
      const { mode, file } = await login({
        api_root: text(options['api-root']),
        mode: options.live ? 'live' : 'test',
        scopes: listed(options.scopes),
        paste: options.paste === true,
      });
      return note(`The ${mode} key works. It is stored in ${file}, which only you can read.`);
    }
    case 'logout':
      removeSettings();
      return note('The stored keys were removed. To disable a key, revoke it in the dashboard.');
    case 'completions': {
      const script = completions(words[1] ?? '');
      if (!script) throw new UsageError('Name a shell: threshold completions bash|zsh|fish');
      return print(script);
    }
    case 'trigger': {
      const [, type] = words;
      if (!type) throw new UsageError('Name an event: threshold trigger reservation.signed');
      const id = await trigger(clientFor(given, true), type);
      return print(options.json ? json({ type, object_id: id }) : `${type}: ${id}`);
    }
    default:
      return listen(given);
  }
}

async function listen(given: Arguments): Promise<void> {
  const to = readTarget(given.options['forward-to']);
  const client = clientFor(given, true);
  const wanted = typesOf(given);
  const secret = sessionSecret();
  const ready = () => note(`Ready. The signing secret of this session is ${secret}\nEvents are forwarded to ${to}`);
  for await (const event of tail((...asked) => client.events.list(...asked), untilStopped(), ready)) {
    if (wanted && !wanted.has(event.type)) continue;
    const outcome = await forward(event, to, secret);
    print(
      given.options.json
        ? JSON.stringify({ id: event.id, type: event.type, outcome })
        : `${new Date().toISOString().slice(11, 19)}  ${outcome.padEnd(4)}  ${event.type}  ${event.id}`,
    );
  }
}

function typesOf({ options }: Arguments): Set<string> | null {
  const given = listed(options.events);
  return given.length > 0 ? new Set(given) : null;
}

/** Splits a comma-separated value. */
const listed = (value: string | true | undefined): string[] =>
  (text(value) ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

async function runMore(given: Arguments): Promise<void> {
  const { words, options } = given;
  const [resource, verb, id] = words;
  if (verb === 'sign-as-guest') {
    if (!id) throw new UsageError('The id is missing: threshold reservations sign-as-guest <id>');
    const client = clientFor(given, true);
    await signAsGuest(client, id, text(options.name) ?? 'Ada Lovelace');
    return show(given, await client.reservations.retrieve(id));
  }
  const client = clientFor(given);
  const signal = untilStopped();
  const wanted = typesOf(given);
  if (resource === 'events') {
    for await (const event of tail((...asked) => client.events.list(...asked), signal)) {
      if (wanted && !wanted.has(event.type)) continue;
      const { object } = event.data as { object: { id?: unknown } };
      print(
        options.json ? JSON.stringify(event) : `${event.created_at}  ${event.type}  ${event.id}  ${cell(object.id)}`,
      );
    }
    return;
  }
  for await (const one of tail((...asked) => client.requestLogs.list(...asked), signal)) {
    // Omits the requests that this command itself makes.
    if (one.path === '/v1/request_logs') continue;
    const { created_at, method, path, status, duration_ms, error_code } = one;
    print(
      options.json
        ? JSON.stringify(one)
        : `${created_at}  ${status}  ${method.padEnd(6)} ${cell(path)}  ${duration_ms} ms  ${error_code ?? ''}`.trimEnd(),
    );
  }
}

async function runVerb(given: Arguments): Promise<void> {
  const [name = '', verb, ...ids] = given.words;
  const resource = RESOURCES[name];
  const operation =
    verb !== undefined && resource && Object.hasOwn(resource.verbs, verb) ? resource.verbs[verb] : undefined;
  if (!resource || !operation) throw new UsageError(helpFor(name));
  const wanted = operation.ids ?? [];
  if (ids.length !== wanted.length)
    throw new UsageError(`Usage: threshold ${name} ${verb} ${wanted.map((id) => `<${id}>`).join(' ')}`.trimEnd());
  if (Object.keys(given.fields).length > 0 && !operation.takes)
    throw new UsageError(`threshold ${name} ${verb} takes no fields.`);
  const group = (clientFor(given) as unknown as Record<string, Record<string, Call>>)[resource.group];
  const call = group?.[operation.call] as Call;
  const called = call(...ids, ...(operation.takes ? [readFields(given.fields, operation)] : []));
  const columns = LISTS[`${name} ${verb}`] ?? resource.columns;
  if (given.options.all) return showAll(given, called as AsyncIterable<object>, columns);
  const answer = await called;
  if (answer instanceof Response) return save(given, answer);
  return show(given, answer, columns);
}

/**
 * Query fields are text, so `limit` is converted to a number. In a body, numbers are written with
 * `:=`.
 */
const readFields = (fields: Record<string, unknown>, { takes }: Verb) =>
  takes === 'query' && typeof fields.limit === 'string' ? { ...fields, limit: Number(fields.limit) } : fields;

async function showAll(given: Arguments, list: AsyncIterable<object>, columns: readonly string[]): Promise<void> {
  if (!(Symbol.asyncIterator in list)) throw new UsageError('--all only works with lists.');
  const rows: Record<string, unknown>[] = [];
  for await (const row of list) rows.push(row as Record<string, unknown>);
  print(given.options.json ? json(rows) : table(rows, columns));
}

function show({ options }: Arguments, answer: unknown, columns: readonly string[] = []): void {
  if (options.json) print(json(answer ?? null));
  else if (answer === undefined) print('Done.');
  else print(readable(answer as Record<string, unknown>, columns));
}

function readable(answer: Record<string, unknown>, columns: readonly string[]): string {
  const { data, has_more } = answer;
  if (!Array.isArray(data)) return facts(answer);
  if (has_more) note('There are more items. Use --all, or starting_after=<the last id>.');
  return data.length === 0 ? 'None.' : table(data, columns);
}

async function save({ options, words }: Arguments, file: Response): Promise<void> {
  const bytes = Buffer.from(await file.arrayBuffer());
  const out = text(options.out) ?? `${words.at(-1)}.pdf`;
  writeFileSync(out, bytes);
  note(`Saved ${out}.`);
}

/** Returns the message and the exit status for an error. */
function ending(error: unknown): { code: 1 | 2; told: string } {
  if (error instanceof UsageError) return { code: 2, told: error.message };
  if (error instanceof ThresholdError) {
    const about = error.param ? ` (${error.param})` : '';
    const request = error.requestId ? `\nRequest ${error.requestId}` : '';
    return { code: 1, told: `${error.code}${about}: ${error.message}${request}` };
  }
  if (error instanceof Failure) return { code: 1, told: error.message };
  return { code: 1, told: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

// A program such as `head` may close the pipe once it has enough, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
try {
  await run(readArguments(process.argv.slice(2)));
} catch (error) {
  const { code, told } = ending(error);
  note(told);
  process.exitCode = code;
}
