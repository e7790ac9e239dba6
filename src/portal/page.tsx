import type { ReactNode } from 'react';
import type { SharedDeliveriesPageData } from '@/modules/webhooks/portal/portal';
import { WEBHOOK_PORTAL_CSS } from './style';

type Attempt = SharedDeliveriesPageData['attempts'][number];

function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Threshold`}</title>
        <meta name="robots" content="noindex, nofollow" />
        <link rel="icon" href="data:," />
        <style>{WEBHOOK_PORTAL_CSS}</style>
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}

/** The page for a link that does not work, or for an error. */
export function UnavailableSharedDeliveriesPage({ title, reference }: { title: string; reference?: string }) {
  return (
    <Page title={title}>
      <h1>{title}</h1>
      {reference ? (
        <p className="soft">Try again in a moment. Reference: {reference}.</p>
      ) : (
        <p className="soft">It has expired or was withdrawn. Ask the person who gave it to you for a new one.</p>
      )}
    </Page>
  );
}

/** A read-only list of an endpoint's deliveries. */
export function SharedDeliveriesPage({
  portal,
  later,
  path,
}: {
  portal: SharedDeliveriesPageData;
  later: boolean;
  path: string;
}) {
  const { endpoint, attempts, more_after } = portal;
  return (
    <Page title="Webhook deliveries">
      {endpoint.mode === 'test' ? <span className="test">Test mode</span> : null}
      <h1>Deliveries to {endpoint.url}</h1>
      {endpoint.description ? <p className="soft">{endpoint.description}</p> : null}
      <dl>
        <dt>Endpoint</dt>
        <dd>
          <code>{endpoint.id}</code>
        </dd>
        <dt>State</dt>
        <dd>{STATES[endpoint.status] ?? endpoint.status}</dd>
        <dt>Subscribed to</dt>
        <dd>{endpoint.events.includes('*') ? 'All events' : endpoint.events.join(', ')}</dd>
        <dt>This link works until</dt>
        <dd>
          <Moment at={portal.expires_at} />
        </dd>
        <dt>How to receive deliveries</dt>
        <dd>
          <a href="/docs/webhooks">Verify the signature, answer 2xx within 10 seconds, expect repeats</a>
        </dd>
      </dl>
      <h2>{later ? 'Earlier attempts' : 'Latest attempts'}</h2>
      {attempts.length === 0 ? (
        <p className="soft">Nothing has been sent yet.</p>
      ) : (
        <ol>
          {attempts.map((attempt) => (
            <li key={attempt.id}>
              <AttemptDetails attempt={attempt} />
            </li>
          ))}
        </ol>
      )}
      <nav aria-label="Pages">
        {later ? <a href={path}>Latest</a> : null}
        {more_after ? <a href={`${path}?after=${more_after}`}>Earlier</a> : null}
      </nav>
    </Page>
  );
}

const STATES: Readonly<Record<string, string>> = {
  enabled: 'Enabled',
  disabled: 'Disabled by its owner, nothing is sent',
  auto_disabled: 'Disabled after nine failures, until its owner enables it again',
};

/** A time in UTC, because the reader's time zone is unknown. */
const Moment = ({ at }: { at: string }) => (
  <time dateTime={at}>{`${at.replace('T', ' ').replace(/\.\d+Z$/, '')} UTC`}</time>
);

function outcome({ status, status_code, error_kind }: Attempt): { text: string; tone: 'good' | 'bad' | 'wait' } {
  if (status === 'pending') return { text: 'Waiting', tone: 'wait' };
  const text = status_code === null ? (error_kind ?? 'No response') : String(status_code);
  return { text, tone: status === 'succeeded' ? 'good' : 'bad' };
}

function AttemptDetails({ attempt }: { attempt: Attempt }) {
  const { text, tone } = outcome(attempt);
  return (
    <details>
      <summary>
        <Moment at={attempt.attempted_at ?? attempt.due_at} />
        <span className="type">{attempt.event_type}</span>
        <span className={tone}>{text}</span>
      </summary>
      <div className="body">
        <dl>
          <dt>Event</dt>
          <dd>
            <code>{attempt.event_id}</code>
          </dd>
          <dt>Attempt</dt>
          <dd>
            {attempt.attempt_number} (<code>{attempt.id}</code>)
          </dd>
          {attempt.duration_ms === null ? null : (
            <>
              <dt>Duration</dt>
              <dd>{attempt.duration_ms} ms</dd>
            </>
          )}
          {attempt.error_message ? (
            <>
              <dt>Error</dt>
              <dd>{attempt.error_message}</dd>
            </>
          ) : null}
          {attempt.next_retry_at ? (
            <>
              <dt>{attempt.status === 'pending' ? 'Due' : 'Next attempt'}</dt>
              <dd>
                <Moment at={attempt.next_retry_at} />
              </dd>
            </>
          ) : null}
        </dl>
        <h3>Request headers, without the signatures, which are not stored</h3>
        <pre>{attempt.request.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>
        <h3>Request body</h3>
        <pre>{readable(attempt.request.body)}</pre>
        {attempt.response_body_truncated ? (
          <>
            <h3>Beginning of your server’s response</h3>
            <pre>{attempt.response_body_truncated}</pre>
          </>
        ) : null}
      </div>
    </details>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
