/**
 * A server for a channel's calendars on the loopback interface, and calendars to serve. Tests only.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface FeedStay {
  uid: string;
  from: string;
  to: string;
  summary?: string;
  description?: string;
  status?: string;
}

/**
 * Returns a calendar in channel A's format. `stamp` is the timestamp that differs in every poll.
 */
export function renderTestCalendarFeed(stays: readonly FeedStay[], stamp = '20260501T000000Z'): string {
  const day = (text: string) => text.replaceAll('-', '');
  const events = stays.flatMap(({ uid, from, to, summary = 'Reserved', description, status }) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${day(from)}`,
    `DTEND;VALUE=DATE:${day(to)}`,
    `SUMMARY:${summary}`,
    ...(description ? [`DESCRIPTION:${description}`] : []),
    ...(status ? [`STATUS:${status}`] : []),
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//', ...events, 'END:VCALENDAR', ''].join('\r\n');
}

/** Returns the description of a booking in channel A's calendars. */
export const renderBookingDescription = (code: string, phone = '1234') =>
  `Reservation URL: https://www.channel-a.example/hosting/reservations/details/${code}\\nPhone Number (Last 4 Digits): ${phone}`;

export interface FeedServerResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface FeedServer {
  readonly url: string;
  readonly requests: { path: string; headers: IncomingHttpHeaders }[];
  /** Sets the response to all following requests. */
  serve(answer: FeedServerResponse | string): void;
  /** Handles all following requests with `handler`. */
  handle(handler: (response: ServerResponse, path: string) => void | Promise<void>): void;
  close(): Promise<void>;
}

export async function startFeedServer(): Promise<FeedServer> {
  let handler: (response: ServerResponse, path: string) => void | Promise<void> = (response) =>
    void response.writeHead(404).end();
  const requests: FeedServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '/', headers: request.headers });
    void handler(response, request.url ?? '/');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The feed server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/calendar.ics?t=secret`,
    requests,
    serve(answer) {
      const { status = 200, headers = {}, body = '' } = typeof answer === 'string' ? { body: answer } : answer;
      handler = (response) =>
        void response.writeHead(status, { 'Content-Type': 'text/calendar; charset=utf-8', ...headers }).end(body);
    },
    handle(next) {
      handler = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
