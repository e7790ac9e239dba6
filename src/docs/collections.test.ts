/** The collections hold every operation of the document, each once, as something that the API understands. */
import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument } from '@/api/openapi';
import { brunoCollection, postmanCollection } from './collections';

interface Sent {
  method: string;
  path: string;
  body: string | null;
}

const described = () => {
  const { paths } = buildOpenApiDocument() as { paths: Record<string, Record<string, { requestBody?: unknown }>> };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => [method, path, !!requestBody]),
    )
    .map(([method, path, has_body]) => `${String(method).toUpperCase()} ${path} ${has_body}`)
    .sort();
};
const shown = (requests: Sent[]) =>
  requests.map(({ method, path, body }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')} ${body !== null}`).sort();

const postman = () => JSON.parse(postmanCollection());
const bruno = () => JSON.parse(brunoCollection());

describe('every operation is there once, with its body', () => {
  it('for Postman', () => {
    const requests: Sent[] = postman().item.flatMap((folder: { item: { request: never }[] }) =>
      folder.item.map(({ request }: { request: { method: string; url: { raw: string }; body?: { raw: string } } }) => ({
        method: request.method,
        path: request.url.raw.replace('{{baseUrl}}', ''),
        body: request.body?.raw ?? null,
      })),
    );
    expect(shown(requests)).toEqual(described());
    for (const { body } of requests) if (body) expect(JSON.parse(body)).toBeTypeOf('object');
  });

  it('for Bruno', () => {
    const requests: Sent[] = bruno().items.flatMap((folder: { items: { request: never }[] }) =>
      folder.items.map(({ request }: { request: { method: string; url: string; body: { json?: string } } }) => ({
        method: request.method,
        path: request.url.replace('{{baseUrl}}', ''),
        body: request.body.json ?? null,
      })),
    );
    expect(shown(requests)).toEqual(described());
  });
});

describe('variables', () => {
  const used = (text: string) => [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))].sort();

  it('of Postman are declared, every one', () => {
    const declared = postman().variable.map(({ key }: { key: string }) => key);
    expect(declared).toEqual(expect.arrayContaining(used(postmanCollection())));
    expect(postmanCollection()).not.toMatch(/(prop|pkt|res|whe)_01jd/);
  });

  it('are set by what creates the thing that they name', () => {
    const kept = [...postmanCollection().matchAll(/set\('(\w+)'/g)].map(([, name]) => name);
    expect(kept).toEqual(['property_id', 'packet_id', 'reservation_id', 'webhook_endpoint_id', 'test_clock_id']);
    expect([...brunoCollection().matchAll(/setVar\('(\w+)'/g)].map(([, name]) => name)).toEqual(kept);
  });
});
