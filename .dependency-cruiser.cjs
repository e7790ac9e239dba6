// Defines which files may import which (ARCHITECTURE.md, "The dependency rule"). `npm run lint`
// fails on every import that breaks a rule. Imports of types count too, unless a rule exempts them.
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/** The modules from top to bottom: each may import those below it. ARCHITECTURE.md shows the same list, and a test compares them. */
const order = require('./src/modules/order.json');

/** Test helpers. Several of the rules below do not apply to them. */
const testing = '/testing/';
const repository = '^src/modules/.*repository\\.ts$';
const pure = '^src/modules/.*(/rules/[^/]+|/rules|\\.rules)\\.ts$|^src/modules/sync-sources/(feed|plan)/';
/** Zod schemas, catalogues and views: plain data that pure files and interfaces may know. */
const data =
  '^src/(modules|operator)/.*((^|/|\\.)schemas|/packet-view|/sample-payloads)\\.ts$|^src/events/catalogue\\.ts$';

/**
 * Files of the modules that run database queries although their names do not end in
 * `repository.ts`. There must be none.
 */
const queries =
  /\b(systemDb|scopedDb|queryRowsInScope)\b|\$(query|execute)Raw|\b(tx|db)\.\w+\.(find|create|update|delete|count|upsert|groupBy|aggregate)/;
const querying = readdirSync('src/modules', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/repository\.ts$|\.test\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).replaceAll('\\', '/'))
  .filter((path) => !path.includes(testing) && queries.test(readFileSync(path, 'utf8')));

const any = (paths) => (paths.length > 0 ? `^(${paths.join('|')})$` : '^none$');
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule('no-circles', {}, { circular: true }),
    ...order
      .slice(1)
      .map((name, index) =>
        rule(
          `modules-import-downwards: ${name}`,
          { path: `^src/modules/${name}/`, pathNot: testing },
          { path: `^src/modules/(${order.slice(0, index + 1).join('|')})/` },
        ),
      ),
    rule(
      'every-module-is-in-the-order',
      {},
      { path: '^src/modules/[^/]+/', pathNot: `^src/modules/(${order.join('|')})/` },
    ),
    rule(
      'modules-know-nobody-above-them',
      { path: '^src/modules', pathNot: testing },
      {
        path: '^(inngest/|src/(app|dashboard|http-entry|guest|operator|portal|server\\.ts))|(^|/)node_modules/inngest/',
      },
    ),
    rule('emails-know-shared-alone', { path: '^src/emails' }, { path: '^src/(?!emails/|shared/)' }),
    rule(
      'only-api-router-imports-routers',
      { path: '^(src|inngest)', pathNot: '^src/api/router\\.ts$' },
      { path: '^src/(modules|guest|operator)/.*router\\.ts$' },
    ),
    rule(
      'repositories-belong-to-their-module',
      { path: '^src/modules/([^/]+)/', pathNot: testing },
      { path: repository, pathNot: '^src/modules/$1/' },
    ),
    rule(
      'repositories-are-not-for-the-outside',
      { path: '^(src|inngest)/', pathNot: '^src/(modules|testing)/' },
      { path: repository },
    ),
    rule(
      'only-repositories-query',
      { path: any(querying) },
      { path: '^src/(infra|generated)/|^src/modules/.*repository\\.ts$' },
    ),
    // The compiler removes type imports, so this rule allows them. The rules about the order of the
    // modules still apply to them.
    rule(
      'pure-files-stay-pure',
      { path: pure, pathNot: '/fixtures/' },
      {
        pathNot: [
          pure,
          data,
          '^src/shared/(?!clock\\.ts)',
          '(^|/)node_modules/(zod|ical\\.js)/',
          '^(node:)?(crypto|buffer)$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'pages-know-views-alone',
      { path: '^src/guest/(?!http/)' },
      { path: '^src/(?!guest/|shared/)', pathNot: data },
    ),
    rule('guests-http-has-no-queries', { path: '^src/guest/http' }, { path: '^src/(infra/db|generated|dashboard)/' }),
    rule(
      'dashboard-knows-rules-and-schemas-alone',
      { path: '^src/dashboard' },
      {
        path: '^src/(?!dashboard/|shared/)',
        pathNot: [
          pure,
          data,
          '^src/api/router\\.ts$',
          '^src/modules/(accounts/session-headers|audit-log/actions|api-keys/scopes)\\.ts$',
        ],
      },
    ),
    rule(
      'pages-open-no-database',
      { path: '^src/(app|proxy\\.ts)' },
      { path: '^src/infra/db/(driver/connect|open)\\.ts$', reachable: true },
    ),
    rule(
      'pglite-is-opened-in-one-place',
      { path: '^(src|inngest)/', pathNot: `^src/infra/db/driver/pglite\\.ts$|${testing}` },
      { path: '@electric-sql/pglite', dependencyTypesNot: ['type-only'] },
    ),
    rule('shared-knows-nobody', { path: '^src/shared' }, { path: '^src/(?!shared/)' }),
    rule('infra-knows-no-domain', { path: '^src/infra' }, { path: '^src/(modules|api|app|dashboard|guest|operator)' }),
    rule('events-know-no-module', { path: '^src/events' }, { path: '^src/(modules|api|app|dashboard|guest|operator)' }),
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules|^src/generated' },
    exclude: { path: '\\.test\\.tsx?$' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
