/**
 * A time-stamping authority for tests, which uses `openssl ts`. Tests call it as a function or
 * through an HTTP server.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TimestampAuthority } from '../types';
import { runExternalProgram } from './tools';

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
[any]
basicConstraints = critical, CA:false
[more]
basicConstraints = critical, CA:false
extendedKeyUsage = critical, timeStamping, codeSigning
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[req]
distinguished_name = dn
[dn]
`;

/** The kinds of false responses. */
export const INVALID_TIMESTAMP_RESPONSE_KINDS = [
  'stamps something else',
  'repeats an old answer',
  'leaves out the nonce',
  'says yesterday',
  'says next month',
  'signs with a certificate for anything',
  'signs with a certificate for more',
  'signs with an expired certificate',
  'brings another’s issuer',
  'changes a byte',
  'names no certificate',
] as const;
type Lie = (typeof INVALID_TIMESTAMP_RESPONSE_KINDS)[number];

const DAY_MS = 86_400_000;

/** Creates a folder with the authority's key and certificates. */
function makeAuthority() {
  const dir = mkdtempSync(path.join(tmpdir(), 'threshold-tsa-'));
  const at = (name: string) => path.join(dir, name);
  writeFileSync(at('tsa.cnf'), CONFIG.replace('./serial', at('serial')));
  writeFileSync(at('serial'), '01');
  const make = (name: string, extensions: string, ...more: string[]) => {
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)];
    const subject = ['-subj', '/CN=Test Time Authority', '-days', '30', ...more];
    runExternalProgram('openssl', [
      'req',
      '-x509',
      ...key,
      ...subject,
      '-config',
      at('tsa.cnf'),
      '-extensions',
      extensions,
    ]);
  };
  make('tsa', 'ext');
  const signed = (tst: Buffer, name: string, ...more: string[]): Buffer => {
    writeFileSync(at('tst.der'), tst);
    const type = ['-econtent_type', '1.2.840.113549.1.9.16.1.4', '-binary', '-nodetach', '-outform', 'DER'];
    const signer = ['-signer', at(`${name}.pem`), '-inkey', at(`${name}.key`), ...more];
    runExternalProgram('openssl', ['cms', '-sign', '-in', at('tst.der'), ...type, ...signer, '-out', at('token.der')]);
    return readFileSync(at('token.der'));
  };
  const authority = {
    at,
    certificate: () => readFileSync(at('tsa.pem'), 'utf8'),
    reply(query: string, ...form: string[]): Buffer {
      const signer = ['-signer', at('tsa.pem'), '-inkey', at('tsa.key'), '-config', at('tsa.cnf')];
      runExternalProgram('openssl', ['ts', '-reply', '-queryfile', query, ...signer, ...form, '-out', at('reply.der')]);
      return readFileSync(at('reply.der'));
    },
    query(digest: Uint8Array, ...form: string[]): string {
      const hex = Buffer.from(digest).toString('hex');
      runExternalProgram('openssl', [
        'ts',
        '-query',
        '-digest',
        hex,
        '-sha256',
        '-cert',
        ...form,
        '-out',
        at('query.tsq'),
      ]);
      return at('query.tsq');
    },
    /** Returns a response that is correct except for one lie. */
    lie(query: string, lie: Lie): Buffer {
      const digest = imprintOf(readFileSync(query));
      if (lie === 'stamps something else') return this.reply(this.query(new Uint8Array(32).fill(7)));
      if (lie === 'repeats an old answer') return this.reply(this.query(digest));
      if (lie === 'leaves out the nonce') return this.reply(this.query(digest, '-no_nonce'));
      if (lie === 'brings another’s issuer') makeLeaf();
      const token = this.reply(query, '-token_out');
      writeFileSync(at('true.der'), token);
      runExternalProgram('openssl', [
        'cms',
        '-verify',
        '-noverify',
        '-inform',
        'DER',
        '-in',
        at('true.der'),
        '-out',
        at('true.tst'),
      ]);
      return asResponse(forge(readFileSync(at('true.tst')), lie));
    },
  };
  /**
   * Creates a certificate that one root issued. The false response contains a different root with
   * the same name as the issuer.
   */
  function makeLeaf(): void {
    make('ca', 'ca', '-subj', '/CN=Test Time Root');
    make('other', 'ca', '-subj', '/CN=Test Time Root');
    const request = [
      'req',
      '-new',
      '-key',
      at('tsa.key'),
      '-subj',
      '/CN=Test Time Authority',
      '-config',
      at('tsa.cnf'),
    ];
    runExternalProgram('openssl', [...request, '-out', at('leaf.csr')]);
    const issuer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-set_serial', '7', '-days', '30'];
    const extensions = ['-extfile', at('tsa.cnf'), '-extensions', 'ext'];
    runExternalProgram('openssl', [
      'x509',
      '-req',
      '-in',
      at('leaf.csr'),
      ...issuer,
      ...extensions,
      '-out',
      at('leaf.pem'),
    ]);
    writeFileSync(at('leaf.key'), readFileSync(at('tsa.key')));
  }
  function forge(
    tst: Buffer,
    lie: Exclude<Lie, 'stamps something else' | 'repeats an old answer' | 'leaves out the nonce'>,
  ): Buffer {
    switch (lie) {
      case 'says yesterday':
        return signed(atTime(tst, Date.now() - DAY_MS / 2), 'tsa', '-cades');
      case 'says next month':
        return signed(atTime(tst, Date.now() + 20 * DAY_MS), 'tsa', '-cades');
      case 'signs with a certificate for anything':
        make('any', 'any');
        return signed(tst, 'any', '-cades');
      case 'signs with a certificate for more':
        make('more', 'more');
        return signed(tst, 'more', '-cades');
      case 'signs with an expired certificate':
        return signed(atTime(tst, Date.now() + 60 * DAY_MS), 'tsa', '-cades');
      case 'brings another’s issuer':
        return signed(tst, 'leaf', '-certfile', at('other.pem'), '-cades');
      case 'changes a byte': {
        const token = signed(tst, 'tsa', '-cades');
        const last = token.length - 1;
        token[last] = (token[last] ?? 0) ^ 1;
        return token;
      }
      case 'names no certificate':
        return signed(tst, 'tsa');
    }
  }
  return authority;
}

/** Returns the 32-byte digest in a query. */
function imprintOf(query: Buffer): Buffer {
  const start = query.indexOf(Buffer.from([0x04, 0x20]));
  return query.subarray(start + 2, start + 34);
}

/** Returns the TSTInfo with a different time. */
function atTime(tst: Buffer, time: number): Buffer {
  const text = `${new Date(time).toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`;
  const changed = Buffer.from(tst);
  const start = changed.indexOf(Buffer.from([0x18, 0x0f]));
  changed.write(text, start + 2, 'latin1');
  return changed;
}

/** Wraps a token in a TimeStampResp with the status `granted`. */
function asResponse(token: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from([0x30, 0x03, 0x02, 0x01, 0x00]), token]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([Buffer.from([0x30, 0x82]), length, content]);
}

/** Returns a local timestamp authority whose responses consist only of the TimeStampToken. */
export function createLocalTimestampAuthority(): TimestampAuthority {
  const authority = makeAuthority();
  return async (digest) => authority.reply(authority.query(digest), '-token_out');
}

export type TimestampAuthorityBehavior = 'answers' | 'fails' | 'rejects' | 'hangs up' | 'talks nonsense' | Lie;

export interface HttpTimestampAuthority {
  url: string;
  /** The authority's own certificate, PEM. */
  certificate: string;
  /** The received requests: their content type, and whether OpenSSL could read the query. */
  requests: { content_type: string | undefined; readable: boolean }[];
  behavior: TimestampAuthorityBehavior;
  close(): Promise<void>;
}

const isLie = (behavior: TimestampAuthorityBehavior): behavior is Lie =>
  INVALID_TIMESTAMP_RESPONSE_KINDS.some((lie) => lie === behavior);

/** Starts the authority on the loopback interface. Tests may change its `behavior` at any time. */
export async function startHttpTimestampAuthority(
  behavior: TimestampAuthorityBehavior = 'answers',
): Promise<HttpTimestampAuthority> {
  const authority = makeAuthority();
  const requests: HttpTimestampAuthority['requests'] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      writeFileSync(authority.at('in.tsq'), Buffer.concat(parts));
      const text = runExternalProgram('openssl', ['ts', '-query', '-in', authority.at('in.tsq'), '-text']);
      requests.push({
        content_type: request.headers['content-type'],
        readable:
          /Hash Algorithm: sha256/.test(text) && /Certificate required: yes/.test(text) && /Nonce: 0x/.test(text),
      });
      answer(response);
    });
  });
  function answer(response: ServerResponse): void {
    if (started.behavior === 'hangs up') return void response.destroy();
    if (started.behavior === 'fails') return void response.writeHead(503).end();
    response.setHeader('Content-Type', 'application/timestamp-reply');
    if (started.behavior === 'talks nonsense') return void response.end('<html>Sign in to the Wi-Fi</html>');
    // PKIStatusInfo with status 2 (rejection), RFC 3161 section 2.4.2.
    if (started.behavior === 'rejects')
      return void response.end(Buffer.from([0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02]));
    const query = authority.at('in.tsq');
    response.end(isLie(started.behavior) ? authority.lie(query, started.behavior) : authority.reply(query));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: HttpTimestampAuthority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    certificate: authority.certificate(),
    requests,
    behavior: behavior,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return started;
}
