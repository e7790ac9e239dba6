import type { Metadata } from 'next';
import { config } from '@/config';
import { Link } from '@/dashboard/ui/link';

export const metadata: Metadata = { title: 'API documentation' };

const code = 'whitespace-pre-wrap break-words rounded-lg border border-line bg-muted p-4 font-mono text-sm';

export default function DocsPage() {
  const root = config().api_root;
  return (
    <>
      <section className="grid gap-3">
        <h1 className="font-semibold text-3xl tracking-tight">The Threshold API</h1>
        <p className="max-w-prose text-ink-soft">
          Each guest reads and signs the house rules before arrival, and you release the arrival details after. This is
          a server-to-server REST API: JSON in, JSON out, with a key of your account.
        </p>
      </section>
      <section className="grid gap-3" aria-labelledby="first">
        <h2 id="first" className="font-semibold text-xl">
          The first request
        </h2>
        <pre className={code}>{`curl ${root}/properties \\
  -H 'Authorization: Bearer service_test_sk_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"name": "Harbour Loft"}'`}</pre>
        <p className="max-w-prose">
          Keys that begin with <code>service_test_</code> work on data of their own and mail nobody; what a guest would
          get is at <code>GET /reservations/{'{id}'}/email_preview</code> for 24 hours.
        </p>
      </section>
      <section className="grid gap-3" aria-labelledby="signatures">
        <h2 id="signatures" className="font-semibold text-xl">
          Verifying a webhook
        </h2>
        <p className="max-w-prose">
          Every delivery carries <code>Service-Signature: t=…,v1=…</code>. Compute the hex HMAC-SHA-256 of{' '}
          <code>t + "." + body</code> with the endpoint’s secret and compare it with each <code>v1</code> in constant
          time; refuse a <code>t</code> that is more than 300 seconds away. Dedupe on <code>Service-Event-Id</code>.
        </p>
      </section>
      <section className="grid gap-3" aria-labelledby="more">
        <h2 id="more" className="font-semibold text-xl">
          More
        </h2>
        <ul className="grid list-disc gap-1 pl-5">
          <li>
            <Link className="underline" href="/docs/reference">
              Every operation
            </Link>
          </li>
          <li>
            <Link className="underline" href="/docs/errors">
              Every error code, when it happens and what to do
            </Link>
          </li>
          <li>
            <Link className="underline" href="/docs/events">
              Every event
            </Link>
          </li>
          <li>
            <a className="underline" href="/v1/openapi.json">
              The OpenAPI 3.1 document
            </a>
          </li>
        </ul>
      </section>
    </>
  );
}
