'use client';
import { useTranslations } from 'use-intl/react';
import { CodeBlock } from '../code-block';

/** Shows an example request with a newly created key. */
export function ApiKeyExampleRequest({ apiKey }: { apiKey: string }) {
  const t = useTranslations('api_keys');
  const root = `${window.location.origin}/v1`;
  return (
    <CodeBlock label={t('try_it')} text={`curl ${root}/reservations \\\n  -H "Authorization: Bearer ${apiKey}"`} />
  );
}
