/**
 * Stores the SHA-256 of session tokens. better-auth stores tokens unhashed and has no option for
 * it. A token has 190 random bits, so a plain hash is enough.
 */
import type { prismaAdapter } from 'better-auth/adapters/prisma';
import { hashToken } from '@/infra/encryption';

type MakeAdapter = ReturnType<typeof prismaAdapter>;
type Adapter = ReturnType<MakeAdapter>;

interface Query {
  model?: string;
  where?: readonly { field: string; value: unknown }[];
  data?: { token?: unknown };
  update?: { token?: unknown };
}

function hashed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hashed);
  return typeof value === 'string' ? hashToken(value) : value;
}

const hashedIn = <T extends { token?: unknown }>(fields: T): T =>
  'token' in fields ? { ...fields, token: hashed(fields.token) } : fields;

const withHashes = (query: Query): Query => ({
  ...query,
  ...(query.where && {
    where: query.where.map((one) => (one.field === 'token' ? { ...one, value: hashed(one.value) } : one)),
  }),
  ...(query.data && { data: hashedIn(query.data) }),
  ...(query.update && { update: hashedIn(query.update) }),
});

/** Returns the session token in a query's data or conditions. */
const tokenOf = ({ where, data }: Query): unknown =>
  data?.token ?? where?.find(({ field }) => field === 'token')?.value;

type Method = (query: Query, ...rest: unknown[]) => Promise<unknown>;

/**
 * Wraps a method of the adapter so that the database receives the hash of a token. If the query
 * contained the token, the returned row contains it again, because better-auth sets the cookie from
 * the row. Other rows contain the hash.
 */
const onSessions =
  (method: Method): Method =>
  async (query, ...rest) => {
    if (query?.model !== 'session') return method(query, ...rest);
    const row = await method(withHashes(query), ...rest);
    const token = tokenOf(query);
    const is_row = row !== null && typeof row === 'object' && 'token' in row;
    return is_row && typeof token === 'string' ? { ...row, token } : row;
  };

function wrap(adapter: Adapter): Adapter {
  const methods = Object.entries(adapter).map(([name, value]) => [
    name,
    typeof value === 'function' ? onSessions(value as Method) : value,
  ]);
  return {
    ...Object.fromEntries(methods),
    transaction: (work: (inside: Adapter) => Promise<unknown>) =>
      adapter.transaction((inside) => work(wrap(inside as Adapter))),
  } as Adapter;
}

/** Wraps the adapter so that the database stores the SHA-256 of session tokens. */
export const wrapAdapterToHashSessionTokens =
  (make: MakeAdapter): MakeAdapter =>
  (options) =>
    wrap(make(options));
