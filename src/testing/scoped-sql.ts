/**
 * Parses a raw statement of a scoped client as PostgreSQL does, and finds tenant tables that the
 * statement does not limit to the scope's team and mode. src/testing/setup.ts applies it to every
 * raw statement of every test.
 */
import { readFileSync } from 'node:fs';
import { loadModule, parseSync } from 'libpg-query';
import { TENANT_MODELS } from '@/infra/db/scoped-client';

// biome-ignore lint/suspicious/noExplicitAny: a syntax tree, walked by its shape.
type Node = any;

const schema = readFileSync('prisma/schema.prisma', 'utf8');

/** Tenant tables by database name. Some rows of the audit log belong to a team and no mode. */
const TABLES = new Map(
  TENANT_MODELS.map((model) => [tableOf(model), model === 'AuditLog' ? ['team_id'] : ['team_id', 'mode']] as const),
);

function tableOf(model: string): string {
  const body = schema.split(`model ${model} {`)[1]?.split('\n}')[0];
  const table = /@@map\("(\w+)"\)/.exec(body ?? '')?.[1];
  if (!table) throw new Error(`${model} has no table in the schema.`);
  return table;
}

export const loadSqlParser = (): Promise<void> => loadModule();

interface Statement {
  text: string;
  values: readonly unknown[];
}
type Limits = { team_id: string; mode: string };

/**
 * Returns the columns of tenant tables that the statement does not limit to the scope, such as
 * `reservations.mode`.
 */
export function findUnscopedColumns({ text, values }: Statement, scope: Limits): string[] {
  const missing = new Set<string>();
  const isScope = (node: Node, column: string) => {
    const inner = uncast(node);
    return inner?.ParamRef !== undefined && values[inner.ParamRef.number - 1] === scope[column as keyof Limits];
  };

  /**
   * Returns the columns (`alias.team_id`) that are limited to the scope within one level of a
   * query, and records the unlimited columns in `missing`. `known` contains the columns that outer
   * levels and the level's subqueries limit.
   */
  function level(tables: Table[], conditions: Node[], known: ReadonlySet<string>): Set<string> {
    const equal: [string, string][] = [];
    const held = new Set(known);
    const only = tables.length === 1 ? tables[0]?.alias : undefined;
    const name = (node: Node): string | null => {
      const fields = uncast(node)?.ColumnRef?.fields?.map((field: Node) => field.String?.sval);
      if (!fields) return null;
      return fields.length === 1 ? `${only}.${fields[0]}` : fields.join('.');
    };
    for (const condition of conditions.flatMap(conjuncts)) {
      const { kind, name: operator, lexpr, rexpr } = condition.A_Expr ?? {};
      if (kind !== 'AEXPR_OP' || operator?.[0]?.String?.sval !== '=') continue;
      const [left, right] = [name(lexpr), name(rexpr)];
      if (left && right) equal.push([left, right]);
      for (const [column, other] of [
        [left, rexpr],
        [right, lexpr],
      ]) {
        if (column && isScope(other, column.split('.').at(-1) ?? '')) held.add(column);
      }
    }
    for (let grew = true; grew; ) {
      grew = false;
      for (const [a, b] of equal) {
        if (held.has(a) === held.has(b)) continue;
        held.add(a).add(b);
        grew = true;
      }
    }
    for (const { table, alias } of tables) {
      for (const column of TABLES.get(table) ?? []) {
        if (!held.has(`${alias}.${column}`)) missing.add(`${table}.${column}`);
      }
    }
    return held;
  }

  /**
   * Visits a SELECT, UPDATE or DELETE. Returns the names of its result's columns that are limited
   * to the scope (`team_id`, `mode`).
   */
  function query(statement: Node, outer: ReadonlySet<string>, names: ReadonlyMap<string, Set<string>>): Set<string> {
    const ctes = new Map(names);
    for (const { CommonTableExpr: cte } of statement.withClause?.ctes ?? []) {
      ctes.set(cte.ctename, visit(cte.ctequery, outer, ctes));
    }
    if (statement.larg) {
      const [left, right] = [query(statement.larg, outer, ctes), query(statement.rarg, outer, ctes)];
      return new Set([...left].filter((column) => right.has(column)));
    }
    const from = [...(statement.fromClause ?? []), ...(statement.usingClause ?? [])];
    const sources = [...(statement.relation ? [{ RangeVar: statement.relation }] : []), ...from].flatMap(sourcesOf);
    const conditions = [statement.whereClause, ...from.flatMap(joinsOf)];
    const plain = sources.filter((one) => !one.subquery);
    const known = new Set(outer);
    const tables = sources.map(({ table, alias, subquery }): Table => {
      const around = subquery?.lateral ? level(plain, conditions, outer) : outer;
      const columns = subquery ? visit(subquery.node, around, ctes) : ctes.get(table);
      for (const column of columns ?? []) known.add(`${alias}.${column}`);
      return { table: columns ? '' : table, alias };
    });
    const held = level(tables, conditions, known);
    for (const [part, child] of Object.entries(statement)) {
      if (part !== 'withClause' && part !== 'fromClause' && part !== 'usingClause') visit(child, held, ctes);
    }
    for (const condition of from.flatMap(joinsOf)) visit(condition, held, ctes);
    return resultOf(statement, tables, held);
  }

  function insert(statement: Node, outer: ReadonlySet<string>, names: ReadonlyMap<string, Set<string>>): void {
    const ctes = new Map(names);
    for (const { CommonTableExpr: cte } of statement.withClause?.ctes ?? []) {
      ctes.set(cte.ctename, visit(cte.ctequery, outer, ctes));
    }
    const table = statement.relation.relname as string;
    const columns = (statement.cols ?? []).map((column: Node) => column.ResTarget.name) as string[];
    const select = statement.selectStmt?.SelectStmt ?? {};
    for (const column of TABLES.get(table) ?? []) {
      const index = columns.indexOf(column);
      const rows = select.valuesLists?.map((list: Node) => list.List.items[index]) ?? [
        select.targetList?.[index]?.ResTarget.val,
      ];
      if (index < 0 || !rows.every((value: Node) => isScope(value, column))) missing.add(`${table}.${column}`);
    }
    visit(statement.selectStmt, outer, ctes);
  }

  function visit(node: Node, outer: ReadonlySet<string>, ctes: ReadonlyMap<string, Set<string>>): Set<string> {
    if (node === null || typeof node !== 'object') return new Set();
    if (Array.isArray(node)) {
      for (const one of node) visit(one, outer, ctes);
      return new Set();
    }
    for (const kind of ['SelectStmt', 'UpdateStmt', 'DeleteStmt']) {
      if (node[kind]) return query(node[kind], outer, ctes);
    }
    if (node.InsertStmt) insert(node.InsertStmt, outer, ctes);
    else for (const child of Object.values(node)) visit(child, outer, ctes);
    return new Set();
  }

  for (const { stmt } of parseSync(text).stmts ?? []) visit(stmt, new Set(), new Map());
  return [...missing].sort();
}

interface Table {
  table: string;
  alias: string;
}
interface Source extends Table {
  subquery?: { node: Node; lateral: boolean };
}

function sourcesOf(item: Node): Source[] {
  if (item.RangeVar) {
    const table = item.RangeVar.relname;
    return [{ table, alias: item.RangeVar.alias?.aliasname ?? table }];
  }
  if (item.JoinExpr) return [...sourcesOf(item.JoinExpr.larg), ...sourcesOf(item.JoinExpr.rarg)];
  if (item.RangeSubselect) {
    const { alias, subquery: node, lateral = false } = item.RangeSubselect;
    return [{ table: '', alias: alias?.aliasname ?? '', subquery: { node, lateral } }];
  }
  return [{ table: '', alias: item.RangeFunction?.alias?.aliasname ?? '' }];
}

/**
 * Returns the names of a SELECT's result columns that are limited to the scope. `*` is expanded to
 * `team_id` and `mode`.
 */
function resultOf(statement: Node, tables: readonly Table[], held: ReadonlySet<string>): Set<string> {
  const result = new Set<string>();
  for (const { ResTarget: target } of statement.targetList ?? []) {
    const fields = uncast(target.val)?.ColumnRef?.fields ?? [];
    const last = fields.at(-1);
    const aliases = fields.length > 1 ? [fields[0].String.sval] : tables.map(({ alias }) => alias);
    for (const column of last?.A_Star ? ['team_id', 'mode'] : last ? [last.String.sval] : []) {
      if (aliases.some((alias: string) => held.has(`${alias}.${column}`))) result.add(target.name ?? column);
    }
  }
  return result;
}

function joinsOf(item: Node): Node[] {
  return item.JoinExpr ? [item.JoinExpr.quals, ...joinsOf(item.JoinExpr.larg), ...joinsOf(item.JoinExpr.rarg)] : [];
}

function conjuncts(node: Node): Node[] {
  if (!node) return [];
  return node.BoolExpr?.boolop === 'AND_EXPR' ? node.BoolExpr.args.flatMap(conjuncts) : [node];
}

const uncast = (node: Node): Node => (node?.TypeCast ? uncast(node.TypeCast.arg) : node);
