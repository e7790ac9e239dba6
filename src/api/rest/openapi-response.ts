/** `GET /v1/openapi.json`: built once, a tenth of a second of work (warm-up.ts). */
import { buildOpenApiDocument } from '@/api/openapi';

let text: string | undefined;

export function openApiText(): string {
  text ??= JSON.stringify(buildOpenApiDocument());
  return text;
}
