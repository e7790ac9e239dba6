/** Reading all of a team, a page at a time. */
import { systemDb } from '@/infra/db/client';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { ExportedModel, ExportedTable } from './export.tables';

export type Row = Readonly<Record<string, unknown>>;

/** Few enough for the widest rows (snapshots, mails) to be a small part of the memory. */
const PAGE = 200;

interface Reader {
  findMany(args: { where: object; orderBy: object[]; take: number; omit: Record<string, boolean> }): PromiseLike<Row[]>;
}

/** Every row of a table as the scope sees it, in the table's order. */
export async function* readTable(scope: Scope, model: ExportedModel, table: ExportedTable): AsyncGenerator<Row> {
  const [first, second] = table.order;
  const omit = Object.fromEntries(table.omit.map((column) => [column, true]));
  const reader = scopedDb(scope)[model] as unknown as Reader;
  let last: Row | undefined;
  for (;;) {
    const where = last
      ? {
          [first]: { gte: last[first] },
          OR: [{ [first]: { gt: last[first] } }, { [first]: last[first], [second]: { gt: last[second] } }],
        }
      : {};
    const rows = await reader.findMany({ where, orderBy: [{ [first]: 'asc' }, { [second]: 'asc' }], take: PAGE, omit });
    yield* table.show ? rows.map(table.show) : rows;
    last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
  }
}

/** The ids of the rows that hold files, in the order of the ids. */
async function idsOf(find: (after: string) => PromiseLike<{ id: string }[]>, after: string): Promise<string[]> {
  return (await find(after)).map(({ id }) => id);
}

export function certificatesWithFiles(scope: Scope, after: string): Promise<string[]> {
  const { signature } = scopedDb(scope);
  const has_file = ['pdf', 'photo', 'pdf_object', 'photo_object'].map((column) => ({ NOT: { [column]: null } }));
  return idsOf(
    (id) =>
      signature.findMany({
        where: { id: { gt: id }, OR: has_file },
        select: { id: true },
        orderBy: { id: 'asc' },
        take: PAGE,
      }),
    after,
  );
}

export function mailsWithFiles(scope: Scope, after: string): Promise<string[]> {
  const { inboundMail } = scopedDb(scope);
  return idsOf(
    (id) =>
      inboundMail.findMany({
        where: { id: { gt: id }, NOT: { raw: null } },
        select: { id: true },
        orderBy: { id: 'asc' },
        take: PAGE,
      }),
    after,
  );
}

export const mailFile = (scope: Scope, id: string) =>
  scopedDb(scope).inboundMail.findFirst({ where: { id }, select: { raw: true } });

/** The team, its people, and whom it invited. An invitation's id is its link and stays behind. */
export async function readTeam(team_id: string) {
  return systemDb().team.findUniqueOrThrow({
    where: { id: team_id },
    select: {
      id: true,
      name: true,
      slug: true,
      plan: true,
      property_limit: true,
      packet_limit: true,
      legal_name: true,
      postal_address: true,
      contact_email: true,
      createdAt: true,
      members: {
        select: {
          id: true,
          role: true,
          saved_views: true,
          createdAt: true,
          user: { select: { id: true, name: true, email: true, emailVerified: true, twoFactorEnabled: true } },
        },
        orderBy: { createdAt: 'asc' },
      },
      invitations: {
        select: { email: true, role: true, status: true, expiresAt: true, createdAt: true },
        orderBy: { createdAt: 'asc' },
      },
    },
  });
}
