'use client';
import { Terminal } from 'lucide-react';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { toast } from '../../ui/overlay/toaster';
import { CodeBlock } from '../code-block';
import { curlOf, KEY_VARIABLE } from './curl';
import type { LoggedRequestDetail } from './queries';

const LEFT_OUT = encodeURIComponent('[redacted]');

/** What was asked, as far as it is kept, and how to ask it again. */
export function AskedCard({ request }: { request: LoggedRequestDetail }) {
  const { query, request_body, method } = request;
  const left_out = `${request_body ?? ''}${query ?? ''}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(curlOf(request, window.location.origin));
      toast.success('Copied as curl.', {
        description: `It reads the key from $${KEY_VARIABLE}${
          left_out.includes('[redacted]') || left_out.includes(LEFT_OUT)
            ? ', and what was left out is yours to put in'
            : ''
        }.`,
      });
    } catch {
      toast.error('The browser did not allow copying.');
    }
  };
  return (
    <Card>
      <CardHeader
        title="What was asked"
        description="Names, addresses, codes and secrets are left out before it is stored."
        actions={
          <Button variant="secondary" onClick={copy}>
            <Terminal aria-hidden />
            Copy as curl
          </Button>
        }
      />
      <CardBody className="grid gap-4">
        {query ? <Parameters query={query} /> : null}
        {request_body ? <CodeBlock label="Request body" text={request_body} /> : null}
        {!query && !request_body ? (
          <p className="text-ink-soft text-sm">
            {method === 'GET' || method === 'DELETE'
              ? 'No query came with it.'
              : 'No body came with it, or one that was no JSON.'}
          </p>
        ) : null}
      </CardBody>
    </Card>
  );
}

function Parameters({ query }: { query: string }) {
  const parameters = [...new URLSearchParams(query)];
  return (
    <dl aria-label="Query" className="grid gap-1.5 font-mono text-xs">
      {parameters.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a parameter can be there twice, and the order never changes.
        <div key={index} className="grid gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
