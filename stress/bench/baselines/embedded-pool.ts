/**
 * The baseline's database when the product uses its embedded database: PGlite in the baseline's
 * process. It has the two methods of pg's pool that the baseline calls. It prepares each statement
 * once, by name.
 */
import { type PGlite, protocol, types } from '@electric-sql/pglite';
import { openPglite } from '../../../src/infra/db/driver/pglite';

const { serialize } = protocol;

type Question = string | { name: string; text: string; values?: unknown[] };
type Answer = Awaited<ReturnType<PGlite['execProtocolStream']>>;

interface Statement {
  parameters: number[];
  fields: { name: string; dataTypeID: number }[];
}

export async function openEmbeddedDatabasePool(directory: string) {
  const pglite = await openPglite(directory);
  const statements = new Map<string, Statement>();
  const send = (...parts: Uint8Array[]) => pglite.execProtocolStream(Buffer.concat(parts), { syncToFs: false });

  async function prepare(name: string, text: string): Promise<Statement> {
    const described = serialize.describe({ type: 'S', name });
    const answer = await send(serialize.parse({ name, text }), described, serialize.sync());
    const of = (kind: string) => answer.find((message) => message.name === kind) as never;
    const statement = {
      parameters: (of('parameterDescription') as { dataTypeIDs: number[] }).dataTypeIDs,
      fields: (of('rowDescription') as Statement | undefined)?.fields ?? [],
    };
    statements.set(name, statement);
    return statement;
  }

  async function ask<Row>(question: Question): Promise<{ rows: Row[]; rowCount: number }> {
    if (typeof question === 'string') {
      await pglite.exec(question);
      return { rows: [], rowCount: 0 };
    }
    const { parameters, fields } = statements.get(question.name) ?? (await prepare(question.name, question.text));
    const values = (question.values ?? []).map((value, at) =>
      value === null || value === undefined
        ? null
        : (pglite.serializers[parameters[at] as number]?.(value) ?? String(value)),
    );
    const answer = await send(
      serialize.bind({ statement: question.name, values }),
      serialize.execute({}),
      serialize.sync(),
    );
    return { rows: rowsOf(answer, fields) as Row[], rowCount: countOf(answer) };
  }

  // PGlite has a single session, so a transaction blocks all other statements.
  let last: Promise<unknown> = Promise.resolve();
  function take(): Promise<() => void> {
    const before = last;
    let release = () => {};
    last = new Promise<void>((resolve) => {
      release = resolve;
    });
    return before.then(() => release);
  }

  return {
    async query<Row>(question: Question) {
      const release = await take();
      try {
        return await ask<Row>(question);
      } finally {
        release();
      }
    },
    async connect() {
      const release = await take();
      return { query: ask, release };
    },
    end: () => pglite.close(),
  };
}

function rowsOf(answer: Answer, fields: Statement['fields']): object[] {
  return answer.flatMap((message) =>
    message.name === 'dataRow'
      ? [
          Object.fromEntries(
            (message as unknown as { fields: (string | null)[] }).fields.map((value, at) => {
              const { name, dataTypeID } = fields[at] as Statement['fields'][number];
              return [name, types.parseType(value, dataTypeID)];
            }),
          ),
        ]
      : [],
  );
}

const countOf = (answer: Answer) =>
  Number(
    (answer.find(({ name }) => name === 'commandComplete') as unknown as { text: string } | undefined)?.text
      .split(' ')
      .at(-1) ?? 0,
  );
