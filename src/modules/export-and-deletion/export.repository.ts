/** Reads all of a team's data in pages. */
import { systemDb } from '@/infra/db/client';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { ExportedPrismaModel, ExportedTable } from './export.tables';

export type ExportedTableRow = Readonly<Record<string, unknown>>;

/**
 * The number of rows per page. Even a page of the largest rows (snapshots, mails) uses little
 * memory.
 */
const PAGE = 200;

interface Reader {
  findMany(args: {
    where: object;
    orderBy: object[];
    take: number;
    omit: Record<string, boolean>;
  }): PromiseLike<ExportedTableRow[]>;
}

/** Yields every row of a table in the scope, in the table's order. */
export async function* readTableRowsForExport(
  scope: Scope,
  model: ExportedPrismaModel,
  table: ExportedTable,
): AsyncGenerator<ExportedTableRow> {
  const [first, second] = table.order;
  const omit = Object.fromEntries(table.omit.map((column) => [column, true]));
  const reader = scopedDb(scope)[model] as unknown as Reader;
  let last: ExportedTableRow | undefined;
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

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
const page = { select: { id: true }, orderBy: { id: 'asc' }, take: PAGE } as const;

/** Returns a page of the certificates with a file, ordered by id. */
export async function listIdsOfCertificatesWithFile(scope: Scope, after: string): Promise<string[]> {
  const OR = ['pdf', 'photo', 'pdf_object', 'photo_object'].map((column) => ({ NOT: { [column]: null } }));
  return idsOf(await scopedDb(scope).signature.findMany({ where: { id: { gt: after }, OR }, ...page }));
}

/** Returns a page of the forwarded mails with a file, ordered by id. */
export async function listIdsOfForwardedMailsWithFile(scope: Scope, after: string): Promise<string[]> {
  const where = { id: { gt: after }, NOT: { raw: null } };
  return idsOf(await scopedDb(scope).inboundMail.findMany({ where, ...page }));
}

export const findForwardedMailFile = (scope: Scope, id: string) =>
  scopedDb(scope).inboundMail.findFirst({ where: { id }, select: { raw: true } });

/** Returns the team, its members and invitations. Omits the invitations' ids. */
export async function readTeamDataForExport(team_id: string) {
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
      require_second_factor: true,
      require_company_account: true,
      createdAt: true,
      members: {
        select: {
          id: true,
          role: true,
          sees_guests: true,
          saved_views: true,
          createdAt: true,
          user: { select: { id: true, name: true, email: true, emailVerified: true, twoFactorEnabled: true } },
        },
        orderBy: { createdAt: 'asc' },
      },
      invitations: {
        select: { email: true, role: true, property_ids: true, status: true, expiresAt: true, createdAt: true },
        orderBy: { createdAt: 'asc' },
      },
    },
  });
}
