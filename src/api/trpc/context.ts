/**
 * The context of a procedure: its caller and the caller's rights. The REST bridge builds it from an
 * API key, the dashboard from a session. Procedures do not authenticate their caller.
 */
import type { GrantedScopes } from '@/modules/api-keys/scopes';
import type { Refusal } from '@/shared/refusals/refusal';
import type { Role, Scope } from '@/shared/scope';

export interface ApiContext {
  readonly request_id: string;
  readonly surface: 'rest' | 'dashboard';
  /** Null on the dashboard before sign-in. */
  readonly scope: Scope | null;
  /** The scopes of the API key. A host in the dashboard is not limited by scopes. */
  readonly granted?: GrantedScopes;
  /** The signed-in user. Null for API keys. */
  readonly user: { id: string; name: string; email: string; role: Role; session_id: string } | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** The `If-Match` header, for updates and deletes. */
  readonly if_match: string | null;
  /** Translates a refusal into the host's language. Partners get English. */
  readonly translate?: (refusal: Refusal) => string;
  /** The status and headers that a procedure may set on the HTTP response. */
  readonly reply: { status?: number; headers: Record<string, string> };
}
