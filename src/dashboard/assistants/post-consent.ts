/**
 * Posts the user's decision about an assistant to the OAuth provider, which is not part of tRPC.
 */
import { LIVE_OR_TEST_MODE_HEADER_NAME, TEAM_ID_HEADER } from '@/modules/accounts/session-headers';

export interface AssistantConsentDecision {
  team_id: string;
  mode: 'live' | 'test';
  oauth_query: string;
  /** Null when the user denied access. */
  scopes: readonly string[] | null;
}

/** Returns the URL to open next. Throws when the request has expired or is not valid. */
export async function submitAssistantConsentDecision({
  team_id,
  mode,
  ...body
}: AssistantConsentDecision): Promise<string> {
  const response = await fetch('/oauth2/consent', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [LIVE_OR_TEST_MODE_HEADER_NAME]: mode, [TEAM_ID_HEADER]: team_id },
    body: JSON.stringify(body),
  });
  const { url } = (await response.json().catch(() => ({}))) as { url?: string };
  if (!response.ok || !url) throw new Error('The consent was refused.');
  return url;
}
