/**
 * What a procedure knows of its caller. Both doors build it: the REST bridge from an API key, the dashboard from a
 * session. Authentication is decided by the door alone, never by the operation.
 */
import type { Scope } from '@/shared/scope';

export interface ApiContext {
  readonly request_id: string;
  readonly surface: 'rest' | 'dashboard';
  /** Null on the dashboard before sign-in. */
  readonly scope: Scope | null;
  /** The signed-in user; null for API keys. */
  readonly user: { id: string; name: string; email: string; role: 'owner' | 'member'; session_id: string } | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** The `If-Match` header, for updates and deletes. */
  readonly if_match: string | null;
  /** The product's English sentences in the language of the host who reads them; partners get them as they are. */
  readonly say?: (sentence: string) => string;
  /** What a procedure may say about the HTTP answer beside its body. */
  readonly reply: { status?: number; headers: Record<string, string> };
}
