'use client';
import { CodeBlock } from '../code-block';

/** A first call with a key that was just made. */
export function TryKey({ apiKey }: { apiKey: string }) {
  const root = `${window.location.origin}/v1`;
  return <CodeBlock label="Try it" text={`curl ${root}/reservations \\\n  -H "Authorization: Bearer ${apiKey}"`} />;
}
