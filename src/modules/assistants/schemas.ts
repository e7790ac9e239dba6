/** Inputs and outputs of the dashboard's assistant procedures. */
import { z } from 'zod';

export const AssistantClientId = z.strictObject({ client_id: z.string().min(1).max(100) });
export const AssistantConnectionId = z.strictObject({ id: z.string().min(1).max(100) });

/** An OAuth client that requests access. */
export const AssistantClient = z.object({
  /** The name from the client's registration. */
  name: z.string().nullable(),
  /** Whether this installation lets assistants access live data. */
  live_allowed: z.boolean(),
});

export const AssistantConnection = z.object({
  id: z.string(),
  mode: z.enum(['live', 'test']),
  client_name: z.string().nullable(),
  /**
   * The target of the redirect after consent: a host name, or the URL scheme of a local program.
   */
  place: z.string(),
  person: z.string(),
  scopes: z.array(z.string()),
  connected_at: z.iso.datetime(),
  /** The time when the latest access token was issued. An access token works for an hour. */
  renewed_at: z.iso.datetime().nullable(),
});
