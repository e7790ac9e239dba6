/**
 * `npm run openapi`: writes docs/openapi.json, with the public server address, and the client's
 * table of operations (packages/client/src/operations.ts). Both are generated from the procedures.
 */
import { writeFile } from 'node:fs/promises';
import { setConfig } from '@/config';

setConfig({ app_url: 'https://threshold.example', api_root: 'https://threshold.example/v1' });
const { buildOpenApiDocument } = await import('@/api/openapi');
const { listRoutes } = await import('@/api/rest/routes');
const { appRouter } = await import('@/api/router');

interface Operation {
  parameters?: { $ref?: string; in?: string }[];
  requestBody?: unknown;
}
const document = buildOpenApiDocument() as {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters?: Record<string, { in?: string }> };
};
await writeFile('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);

/** Returns the input of an operation besides the ids of its path. */
function inputOf({ parameters = [], requestBody }: Operation): string {
  if (requestBody) return ' body';
  const places = parameters.map(({ $ref, in: place }) =>
    $ref ? document.components.parameters?.[$ref.split('/').at(-1) ?? '']?.in : place,
  );
  return places.includes('query') ? ' query' : '';
}

const groups = new Map<string, string[]>();
for (const { name, method, pattern } of listRoutes(appRouter)) {
  const [noun = '', action = ''] = name.split('.');
  const operation = document.paths[pattern]?.[method.toLowerCase()] ?? {};
  const place = pattern.startsWith(`/${noun}`) ? `~${pattern.slice(noun.length + 1)}` : pattern;
  const key = action.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  const row = `  ${key}: '${method} ${place}${inputOf(operation)}',`;
  groups.set(noun, [...(groups.get(noun) ?? []), row]);
}
/** Operations that several groups share. They are written once to keep the client small. */
const READ = "  list: 'GET ~ query',\n  retrieve: 'GET ~/{id}',";
const tables = [...groups].map(([noun, rows]) => {
  const table = rows.join('\n') === READ ? 'READ' : `{\n${rows.join('\n')}\n}`;
  return `export const ${noun.toUpperCase()} = under('/${noun}', ${table}) satisfies Group;\n`;
});
await writeFile(
  'packages/client/src/operations.ts',
  `/**
 * Every operation of the API by its name in the client: method, path, and \`body\` or \`query\`. Generated
 * by \`npm run openapi\`. The type check compares each row with the OpenAPI document.
 */
import { type Group, under } from './under.js';

const READ = {
${READ}
} as const;

${tables.join('\n')}`,
);
console.log('Wrote docs/openapi.json and packages/client/src/operations.ts.');
process.exit(0);
