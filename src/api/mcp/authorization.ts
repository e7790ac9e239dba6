/**
 * Serves the OAuth authorization server of `/mcp`. Uses Node's own HTTP objects, because it must
 * work without Next.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendRestFormatErrorResponse } from '@/api/rest/handle-request';
import { readRequestBody } from '@/api/rest/read-body';
import { config } from '@/config';
import { getCallerIpAddress, toWebHeaders } from '@/infra/http/web-request';
import { CLIENT_IP_ADDRESS_HEADER } from '@/modules/accounts/session-headers';
import { handleOAuthRequest } from '@/modules/assistants/http';

/** Answers one request. Never throws. */
export async function serveOAuthRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const ip = getCallerIpAddress(request);
    const body = await readRequestBody(request, response, ip);
    const { method = 'GET', url = '/' } = request;
    const headers = new Headers(toWebHeaders(request.headers));
    headers.delete(CLIENT_IP_ADDRESS_HEADER);
    if (ip) headers.set(CLIENT_IP_ADDRESS_HEADER, ip);
    const answer = await handleOAuthRequest(
      new Request(new URL(url, config().app_url), {
        method,
        headers,
        ...(method === 'POST' && { body: new Uint8Array(body) }),
      }),
    );
    const cookies = answer.headers.getSetCookie();
    const others = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'set-cookie'));
    response.writeHead(answer.status, { ...others, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) });
    response.end(Buffer.from(await answer.arrayBuffer()));
  } catch (thrown) {
    await sendRestFormatErrorResponse(request, response, thrown);
  }
}
