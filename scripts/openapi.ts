/** `npm run openapi`: writes the OpenAPI document of the procedures to docs/openapi.json, with the public server address. */
import { writeFile } from 'node:fs/promises';
import { setConfig } from '@/config';

setConfig({ app_url: 'https://threshold.example', api_root: 'https://threshold.example/v1' });
const { buildOpenApiDocument } = await import('@/api/openapi');
await writeFile('docs/openapi.json', `${JSON.stringify(buildOpenApiDocument(), null, 2)}\n`);
console.log('Wrote docs/openapi.json.');
process.exit(0);
