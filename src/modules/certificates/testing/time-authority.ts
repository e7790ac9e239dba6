/** A time-stamping authority made with `openssl ts`: as a function, and behind HTTP as RFC 3161 section 3.4 has it. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TimestampAuthority } from '../types';
import { run } from './tools';

const CONFIG = `
[tsa]
default_tsa = tsa_config
[tsa_config]
serial = ./serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ordering = no
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
[ext]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[req]
distinguished_name = dn
[dn]
`;

/** A folder with the authority's key; `reply` answers a query file. */
function makeAuthority() {
  const dir = mkdtempSync(path.join(tmpdir(), 'threshold-tsa-'));
  const at = (name: string) => path.join(dir, name);
  writeFileSync(at('tsa.cnf'), CONFIG.replace('./serial', at('serial')));
  writeFileSync(at('serial'), '01');
  const subject = ['-subj', '/CN=Test Time Authority', '-days', '30'];
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', at('tsa.key'), '-out', at('tsa.pem')];
  run('openssl', ['req', '-x509', ...key, ...subject, '-config', at('tsa.cnf'), '-extensions', 'ext']);
  return {
    at,
    reply(query: string, ...form: string[]): Buffer {
      const signer = ['-signer', at('tsa.pem'), '-inkey', at('tsa.key'), '-config', at('tsa.cnf')];
      run('openssl', ['ts', '-reply', '-queryfile', query, ...signer, ...form, '-out', at('reply.der')]);
      return readFileSync(at('reply.der'));
    },
    query(digest: Uint8Array): string {
      const hex = Buffer.from(digest).toString('hex');
      run('openssl', ['ts', '-query', '-digest', hex, '-sha256', '-cert', '-out', at('query.tsq')]);
      return at('query.tsq');
    },
  };
}

/** Its token is the TimeStampToken alone, as RFC 3161 nests it in the response. */
export function localAuthority(): TimestampAuthority {
  const authority = makeAuthority();
  return async (digest) => authority.reply(authority.query(digest), '-token_out');
}

export type Mood = 'answers' | 'fails' | 'rejects' | 'lies' | 'hangs up' | 'talks nonsense';

export interface HttpAuthority {
  url: string;
  /** What was sent to it: content type and whether OpenSSL could read the query. */
  requests: { content_type: string | undefined; readable: boolean }[];
  mood: Mood;
  close(): Promise<void>;
}

/** Listens on the loopback. Its `mood` can be changed at any time. */
export async function startTimeAuthority(mood: Mood = 'answers'): Promise<HttpAuthority> {
  const authority = makeAuthority();
  const requests: HttpAuthority['requests'] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      writeFileSync(authority.at('in.tsq'), Buffer.concat(parts));
      const text = run('openssl', ['ts', '-query', '-in', authority.at('in.tsq'), '-text']);
      requests.push({
        content_type: request.headers['content-type'],
        readable: /Hash Algorithm: sha256/.test(text) && /Certificate required: yes/.test(text),
      });
      answer(response);
    });
  });
  function answer(response: ServerResponse): void {
    if (started.mood === 'hangs up') return void response.destroy();
    if (started.mood === 'fails') return void response.writeHead(503).end();
    response.setHeader('Content-Type', 'application/timestamp-reply');
    if (started.mood === 'talks nonsense') return void response.end('<html>Sign in to the Wi-Fi</html>');
    // PKIStatusInfo with status 2 (rejection), RFC 3161 section 2.4.2.
    if (started.mood === 'rejects') return void response.end(Buffer.from([0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02]));
    const query = started.mood === 'lies' ? authority.query(new Uint8Array(32).fill(7)) : authority.at('in.tsq');
    response.end(authority.reply(query));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: HttpAuthority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    mood,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return started;
}
