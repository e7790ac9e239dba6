/**
 * Answers malformed and incomplete requests with the specification's error object. Node has no
 * request object for them, so the response is written to the connection.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { buildErrorBody } from '@/api/rest/error-response';
import { AppError, type ErrorCode } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { buildSecurityHeaders } from './security-headers';

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Time limits for receiving the headers and the whole request. Bodies have stricter limits
 * (body-buffering.ts).
 */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 5 * 60_000;
/** How often Node checks for connections that exceeded these limits. */
export const TIMED_OUT_CONNECTION_CHECK_INTERVAL_MS = 5_000;

/** Sets the server's time limits and its response to malformed requests. */
export function handleMalformedRequests(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => answers.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket as Socket);
    // Nothing may be written after the client has disconnected or while a response is being sent.
    const in_between = !answer?.headersSent || answer.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || !in_between) return void socket.destroy();
    socket.end(rawAnswer(new AppError(CODES[error.code ?? ''] ?? 'malformed_request')));
  });
}

function rawAnswer(error: AppError): string {
  const request_id = newId('request');
  const body = JSON.stringify(buildErrorBody(error, request_id));
  const { status } = error.definition;
  const headers = {
    Connection: 'close',
    Date: new Date().toUTCString(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': request_id,
    ...buildSecurityHeaders(),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
