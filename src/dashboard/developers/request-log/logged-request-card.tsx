'use client';
import { Terminal } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { LoggedRequestDetail } from '../../types';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { toast } from '../../ui/overlay/toaster';
import { CodeBlock } from '../code-block';
import { API_KEY_ENV_VARIABLE, buildCurlCommand } from './curl';

const LEFT_OUT = encodeURIComponent('[redacted]');

/** Shows the logged request, and how to repeat it. */
export function LoggedRequestCard({ request }: { request: LoggedRequestDetail }) {
  const t = useTranslations('request_log');
  const { query, request_body, method } = request;
  const left_out = `${request_body ?? ''}${query ?? ''}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(buildCurlCommand(request, window.location.origin));
      const incomplete = left_out.includes('[redacted]') || left_out.includes(LEFT_OUT);
      toast.success(t('copied_as_curl'), {
        description: t(incomplete ? 'it_reads_the_key_and_what_was' : 'it_reads_the_key_from', {
          variable: `$${API_KEY_ENV_VARIABLE}`,
        }),
      });
    } catch {
      toast.error(t('the_browser_did_not_allow_copying'));
    }
  };
  return (
    <Card>
      <CardHeader
        title={t('what_was_asked')}
        description={t('names_addresses_codes_and_secrets_are_left')}
        actions={
          <Button variant="secondary" onClick={copy}>
            <Terminal aria-hidden />
            {t('copy_as_curl')}
          </Button>
        }
      />
      <CardBody className="grid gap-4">
        {query ? <Parameters query={query} /> : null}
        {request_body ? <CodeBlock label={t('request_body')} text={request_body} /> : null}
        {!query && !request_body ? (
          <p className="text-ink-soft text-sm">
            {t(method === 'GET' || method === 'DELETE' ? 'no_query_came_with_it' : 'no_body_came_with_it_or_one')}
          </p>
        ) : null}
      </CardBody>
    </Card>
  );
}

function Parameters({ query }: { query: string }) {
  const t = useTranslations('request_log');
  const parameters = [...new URLSearchParams(query)];
  return (
    <dl aria-label={t('query')} className="grid gap-1.5 font-mono text-xs">
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
