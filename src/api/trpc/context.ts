/**
 * What a procedure knows of its caller. Both doors build it: the REST bridge from an API key, the dashboard from a
 * session. Authentication is decided by the door alone, never by the operation.
 */
import type { GrantedScopes } from '@/modules/api-keys/scopes';
import type { Refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';

export interface ApiContext {
  readonly request_id: string;
  readonly surface: 'rest' | 'dashboard';
  /** Null on the dashboard before sign-in. */
  readonly scope: Scope | null;
  /** What the API key may do; a host in the dashboard has no such limit. */
  readonly granted?: GrantedScopes;
  /** The signed-in user; null for API keys. */
  readonly user: { id: string; name: string; email: string; role: 'owner' | 'member'; session_id: string } | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** The `If-Match` header, for updates and deletes. */
  readonly if_match: string | null;
  /** A refusal in the language of the host who reads it; partners read English. */
  readonly translate?: (refusal: Refusal) => string;
  /** What a procedure may say about the HTTP answer beside its body. */
  readonly reply: { status?: number; headers: Record<string, string> };
}
