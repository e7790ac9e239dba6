/** Sends HTTP text on a socket, for requests that no client would send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  /** Header names are in lower case. A repeated header is joined with commas. */
  headers: Record<string, string>;
  body: string;
}

/** A connection that collects the received bytes. */
export class RawTcpConnection {
  readonly socket: Socket;
  private received = '';
  private ended = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => {
      this.received += text;
    });
    this.socket.on('error', () => {});
    this.socket.once('close', () => {
      this.ended = true;
    });
  }

  get answered(): boolean {
    return this.received.includes('\r\n\r\n');
  }

  /** Returns whether the server ended the connection in time. */
  async closes(within_ms: number): Promise<boolean> {
    if (this.ended) return true;
    await Promise.race([once(this.socket, 'close'), new Promise((done) => setTimeout(done, within_ms))]);
    return this.ended;
  }

  /**
   * Returns the first complete response. Rejects when the connection closes or the time is over
   * before that.
   */
  async answer(within_ms = 30_000): Promise<RawResponse> {
    const deadline = Date.now() + within_ms;
    for (;;) {
      const [head = '', ...rest] = this.received.split('\r\n\r\n');
      const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString();
      const [line = '', ...lines] = head.split('\r\n');
      const headers: Record<string, string> = {};
      for (const text of lines) {
        const at = text.indexOf(':');
        const name = text.slice(0, at).toLowerCase();
        const value = text.slice(at + 1).trim();
        headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
      }
      const length = Number(headers['content-length'] ?? Number.NaN);
      const whole = this.answered && (Number.isNaN(length) ? this.ended : Buffer.byteLength(body) >= length);
      if (whole || (this.answered && this.ended)) return { status: Number(line.split(' ')[1]), headers, body };
      if (this.ended) throw new Error('The connection ended without an answer.');
      if (Date.now() > deadline) throw new Error(`No answer: ${JSON.stringify(this.received.slice(0, 200))}`);
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}

export interface EndlessBodyResponse extends RawResponse {
  /** The number of body bytes that were sent before the response arrived. */
  sent_bytes: number;
  closed: boolean;
}

/** Sends an endless body, in chunks, until a response arrives or `most_bytes` are sent. */
export async function sendEndlessBody(
  url: string,
  method: string,
  path: string,
  options: { most_bytes: number; headers?: Record<string, string> },
): Promise<EndlessBodyResponse> {
  const connection = new RawTcpConnection(url);
  const { socket } = connection;
  const headers = { Host: new URL(url).host, 'Transfer-Encoding': 'chunked', ...options.headers };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'x'), Buffer.from('\r\n')]);
  let sent_bytes = 0;
  while (sent_bytes < options.most_bytes && !connection.answered && socket.writable) {
    sent_bytes += 0x10000;
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
    else await new Promise((done) => setImmediate(done));
  }
  if (!connection.answered && socket.writable) socket.write('0\r\n\r\n');
  const answer = await connection.answer();
  const closed = await connection.closes(5_000);
  socket.destroy();
  return { ...answer, sent_bytes, closed };
}
