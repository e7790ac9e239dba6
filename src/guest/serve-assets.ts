/** Serves the guest pages' own files from the server process; see asset-files.ts. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GUEST_ASSETS_PATH, readGuestAsset } from './asset-files';

export function handleGuestAsset(request: IncomingMessage, response: ServerResponse): void {
  const name = (request.url ?? '').split('?', 1)[0]?.slice(GUEST_ASSETS_PATH.length) ?? '';
  const file = readGuestAsset(name, String(request.headers['accept-encoding'] ?? ''));
  if (!file) return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found');
  response.writeHead(200, file.headers).end(request.method === 'HEAD' ? undefined : file.body);
}
