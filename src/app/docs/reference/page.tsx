import type { Metadata } from 'next';
import { buildOpenApiDocument } from '@/api/openapi';

export const metadata: Metadata = { title: 'Operations' };

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  'x-scope': string;
  'x-stability': string;
  responses: Record<string, unknown>;
}

export default function ReferencePage() {
  const { paths } = buildOpenApiDocument() as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  return (
    <>
      <section className="grid gap-3">
        <h1 className="font-semibold text-3xl tracking-tight">Operations</h1>
        <p className="max-w-prose text-ink-soft">
          Schemas, examples and every error response are in the{' '}
          <a className="underline" href="/v1/openapi.json">
            OpenAPI document
          </a>
          , which most tools read.
        </p>
      </section>
      {tags.map((tag) => (
        <section key={tag} className="grid gap-3" aria-label={tag}>
          <h2 className="font-semibold text-xl">{tag}</h2>
          {operations
            .filter(({ operation }) => operation.tags.includes(tag))
            .map(({ path, method, operation }) => (
              <article
                key={operation.operationId}
                id={operation.operationId}
                className="grid gap-1 rounded-lg border border-line bg-surface p-4"
              >
                <h3 className="break-all font-mono text-sm">
                  <span className="font-semibold text-primary">{method}</span> /v1{path}
                </h3>
                <p>{operation.summary}</p>
                <p className="text-ink-soft text-sm">
                  Scope <code>{operation['x-scope']}</code> · {operation['x-stability']} · answers{' '}
                  {Object.keys(operation.responses).join(', ')}
                </p>
              </article>
            ))}
        </section>
      ))}
    </>
  );
}
