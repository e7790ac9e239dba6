/** `GET /v1/openapi.json`: built at the first request, since nobody asks for it at most starts. */
import { buildOpenApiDocument } from '@/api/openapi';

let text: string | undefined;

export function openApiText(): string {
  text ??= JSON.stringify(buildOpenApiDocument());
  return text;
}
