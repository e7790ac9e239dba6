// Who may import whom (ARCHITECTURE.md, "The dependency rule"). `npm run lint` fails on any new arrow.
const pure = '^src/modules/[^/]+/(lifecycle|rules|[a-z-]*\\.rules)\\.ts$';
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    {
      name: 'modules-never-import-inngest',
      severity: 'error',
      from: { path: '^src/modules' },
      to: { path: '^(inngest/|node_modules/inngest)' },
    },
    {
      name: 'only-api-router-imports-routers',
      severity: 'error',
      from: { path: '^(src|inngest)', pathNot: '^src/api/router\\.ts$|\\.test\\.ts$' },
      to: { path: '^src/modules/[^/]+/[a-z-]*router\\.ts$' },
    },
    {
      name: 'repositories-belong-to-their-module',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/modules/[^/]+/repository\\.ts$', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'repositories-are-not-for-the-outside',
      severity: 'error',
      from: { path: '^(src/(app|dashboard|guest|api)|inngest)/' },
      to: { path: '^src/modules/[^/]+/repository\\.ts$' },
    },
    {
      name: 'dashboard-never-imports-services',
      severity: 'error',
      from: { path: '^src/dashboard' },
      to: {
        path: '^src/modules/[^/]+/(service|[a-z-]+\\.service)\\.ts$|^src/infra',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-files-stay-pure',
      severity: 'error',
      from: { path: pure },
      to: { path: '^src/(infra|config|api|events/record)|^node_modules/@prisma|^src/generated' },
    },
    {
      name: 'shared-knows-nobody',
      severity: 'error',
      from: { path: '^src/shared' },
      to: { path: '^src/(modules|api|infra|app|dashboard|guest|events|config)' },
    },
    {
      name: 'infra-knows-no-domain',
      severity: 'error',
      from: { path: '^src/infra' },
      to: { path: '^src/(modules|api|app|dashboard|guest)' },
    },
    {
      name: 'events-know-no-module-but-its-schemas',
      severity: 'error',
      from: { path: '^src/events' },
      to: { path: '^src/(modules/[^/]+/(?!schemas)|api|app|dashboard|guest)' },
    },
  ],
  options: {
    parser: 'tsc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/generated|\\.test\\.tsx?$' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
