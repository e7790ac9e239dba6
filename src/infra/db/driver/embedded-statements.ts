/**
 * Prepared statements for the embedded PostgreSQL. PGlite's own `query` parses and plans every text
 * again, in six calls of the engine, which took most of a request's time. This client prepares a
 * text when it runs for the second time. From then on the text takes one call. Bytes are passed
 * unchanged, whereas PGlite encodes them as text.
 */
import type { messages, PGlite, QueryOptions, Results, Transaction } from '@electric-sql/pglite';
import { loadPgliteWireProtocol } from './pglite';

/** The methods of PGlite that Prisma's adapter calls. */
export type PgliteClientMethods = Pick<PGlite, 'query' | 'exec' | 'transaction'>;

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

interface Statement {
  readonly name: string;
  readonly parameters: readonly number[];
  readonly fields: Results['fields'];
}

/**
 * Maximum number of prepared statements, because each plan occupies the engine's memory. Beyond it
 * the least recently used statement is closed.
 */
const PREPARED_AT_MOST = 400;
/**
 * Maximum number of statement texts that are remembered after their first run. A statement with a
 * list has a different text for each length of the list, and many of these texts occur only once.
 */
const REMEMBERED_AT_MOST = 1_000;
/**
 * Maximum length of a prepared text. Longer texts are batches of varying length, whose plans are
 * rarely reused.
 */
const LONGEST_PREPARED = 8_000;
const BYTEA = 17;
/**
 * Returns whether a statement failed because its plan no longer matches the tables, or no longer
 * exists.
 */
const isStale = (error: unknown) => ['0A000', '26000'].includes((error as { code?: string }).code ?? '');

interface Known {
  /** Prepared statements by text, least recently used first. */
  readonly prepared: Map<string, Statement>;
  /** Statement texts that have run once and are not prepared yet. */
  readonly once: Set<string>;
}

/** One entry per engine, because tests open several engines. */
const known_by = new WeakMap<PGlite, Known>();
let named = 0;

/** Returns a client of an open PGlite that prepares every text when it runs for the second time. */
export async function createStatementPreparingClient(pglite: PGlite): Promise<PgliteClientMethods> {
  const { serialize } = await loadPgliteWireProtocol();
  const known: Known = known_by.get(pglite) ?? { prepared: new Map(), once: new Set() };
  known_by.set(pglite, known);
  const { prepared, once } = known;

  const send = (parts: Uint8Array[]) => pglite.execProtocolStream(Buffer.concat(parts), { syncToFs: false });

  async function prepare(text: string): Promise<Statement> {
    named += 1;
    const name = `t${named}`;
    const parts = [serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync()];
    const [unused] = prepared.size < PREPARED_AT_MOST ? [] : prepared;
    if (unused) {
      prepared.delete(unused[0]);
      parts.unshift(serialize.close({ type: 'S', name: unused[1].name }));
    }
    return { name, ...descriptionOf(await send(parts)) };
  }

  /**
   * Runs a prepared statement. The caller must have exclusive use of the engine, or run inside the
   * transaction that has exclusive use.
   */
  async function run<Row>(text: string, values: unknown[], options: QueryOptions): Promise<Results<Row>> {
    return pglite._runExclusiveQuery(async () => {
      const statement = prepared.get(text) ?? (await prepare(text));
      prepared.delete(text);
      prepared.set(text, statement);
      const { name, parameters, fields } = statement;
      const bound = { statement: name, values: values.map((value, at) => asParameter(value, parameters[at] ?? 0)) };
      try {
        const answer = await send([serialize.bind(bound), serialize.execute({}), serialize.sync()]);
        const parsers = fields.map(({ dataTypeID: type }) =>
          type === BYTEA ? bytesOf : (options.parsers?.[type] ?? pglite.parsers[type]),
        );
        return resultsOf<Row>(answer, fields, parsers, options);
      } catch (error) {
        if (isStale(error)) prepared.delete(text);
        throw error;
      }
    });
  }

  function asParameter(value: unknown, type: number): string | Uint8Array | null {
    if (value === null || value === undefined) return null;
    if (type === BYTEA && value instanceof Uint8Array) return value;
    return pglite.serializers[type]?.(value) ?? String(value);
  }

  /**
   * Returns whether the statement with this text is already prepared, or has been run once and
   * should now be prepared.
   */
  function isKnown(text: string): boolean {
    if (text.length > LONGEST_PREPARED) return false;
    if (prepared.has(text) || once.delete(text)) return true;
    once.add(text);
    const [oldest] = once.size > REMEMBERED_AT_MOST ? once : [];
    if (oldest !== undefined) once.delete(oldest);
    return false;
  }

  return {
    exec: (...args) => pglite.exec(...args),
    async query<Row>(text: string, values: unknown[] = [], options: QueryOptions = {}) {
      if (!isKnown(text)) return pglite.query<Row>(text, values, options);
      try {
        await pglite._checkReady();
        return await pglite._runExclusiveTransaction(async () => {
          const results = await run<Row>(text, values, options);
          await pglite.syncToFs();
          return results;
        });
      } catch (error) {
        // A statement with a stale plan has not run, so it can be repeated unprepared.
        if (isStale(error)) return pglite.query<Row>(text, values, options);
        throw error;
      }
    },
    transaction: (work) =>
      pglite.transaction((tx) => {
        const query = async <Row>(text: string, values: unknown[] = [], options: QueryOptions = {}) =>
          tx.closed || !isKnown(text) ? tx.query<Row>(text, values, options) : run<Row>(text, values, options);
        return work({ query, exec: tx.exec, rollback: tx.rollback } as Transaction);
      }),
  };
}

function descriptionOf(answer: Messages): Omit<Statement, 'name'> {
  const of = <Message>(name: string) => answer.find((message) => message.name === name) as Message | undefined;
  const parameters = of<messages.ParameterDescriptionMessage>('parameterDescription')?.dataTypeIDs ?? [];
  const fields = of<messages.RowDescriptionMessage>('rowDescription')?.fields ?? [];
  return { parameters, fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })) };
}

function resultsOf<Row>(
  answer: Messages,
  fields: Statement['fields'],
  parsers: readonly (((text: string, type?: number) => unknown) | undefined)[],
  { rowMode }: QueryOptions,
): Results<Row> {
  const rows: unknown[] = [];
  let affectedRows = 0;
  const parsed = (text: string | null, at: number) => {
    const parser = parsers[at];
    return text === null || !parser ? text : parser(text, fields[at]?.dataTypeID);
  };
  for (const message of answer) {
    if (message.name === 'dataRow') {
      const values = (message as messages.DataRowMessage).fields.map(parsed);
      if (rowMode === 'array') rows.push(values);
      else {
        const row: Record<string, unknown> = {};
        for (const [at, { name }] of fields.entries()) row[name] = values[at];
        rows.push(row);
      }
    } else if (message.name === 'commandComplete') {
      affectedRows = changedRows((message as messages.CommandCompleteMessage).text);
    }
  }
  return { rows: rows as Row[], fields: [...fields], affectedRows };
}

/**
 * Returns the number of changed rows in a command tag such as `INSERT 0 3` or `UPDATE 3`. Returns 0
 * for other commands.
 */
function changedRows(tag: string): number {
  const [command = '', ...counts] = tag.split(' ');
  return ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command) ? Number(counts.at(-1)) : 0;
}

/** Parses PostgreSQL's text form of bytes, `\x00ff…`. */
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
