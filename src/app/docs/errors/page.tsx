import type { Metadata } from 'next';
import { Fragment } from 'react';
import { ERRORS, type ErrorDefinition } from '@/shared/errors';

export const metadata: Metadata = { title: 'Errors' };

/** Prose of the catalogue, with its `code` marks. */
function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a constant text never move.
    index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
  );
}

export default function ErrorsPage() {
  const entries = Object.entries(ERRORS) as [string, ErrorDefinition][];
  const statuses = [...new Set(entries.map(([, error]) => error.status))].sort((a, b) => a - b);
  return (
    <>
      <section className="grid gap-3">
        <h1 className="font-semibold text-3xl tracking-tight">Errors</h1>
        <p className="max-w-prose text-ink-soft">
          Every answer that is not 2xx has one body: <code>error.type</code>, <code>error.code</code>,{' '}
          <code>error.message</code>, <code>error.param</code>, <code>error.doc_url</code> and{' '}
          <code>error.request_id</code>. Branch on <code>code</code>; quote <code>request_id</code> when you write to
          us.
        </p>
      </section>
      {statuses.map((status) => (
        <section key={status} className="grid gap-4" aria-labelledby={`status-${status}`}>
          <h2 id={`status-${status}`} className="font-semibold text-xl">
            {status}
          </h2>
          {entries
            .filter(([, error]) => error.status === status)
            .map(([name, error]) => (
              <article
                key={name}
                id={name}
                className="grid scroll-mt-6 gap-2 rounded-lg border border-line bg-surface p-4 target:border-primary target:bg-tint"
              >
                <h3 className="break-words font-medium font-mono">
                  <a href={`#${name}`}>{name}</a>
                </h3>
                <p className="text-ink-soft text-sm">{error.type}</p>
                <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[8rem_1fr]">
                  <dt className="text-ink-soft">When</dt>
                  <dd>
                    <Prose text={error.when} />
                  </dd>
                  <dt className="text-ink-soft">What to do</dt>
                  <dd>
                    <Prose text={error.fix} />
                  </dd>
                </dl>
              </article>
            ))}
        </section>
      ))}
    </>
  );
}
