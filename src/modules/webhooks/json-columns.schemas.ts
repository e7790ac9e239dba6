/** The JSON column of webhook endpoints. */
import { z } from 'zod';
import { jsonColumn } from '@/shared/json-column';

/** Secrets that were rotated away, encrypted; `until` is ISO 8601. */
export const previousSecretsColumn = jsonColumn(
  'WebhookEndpoint.previous_secrets',
  z.array(z.object({ secret: z.string(), until: z.string() })),
);
