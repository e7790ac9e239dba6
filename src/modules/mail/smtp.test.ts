/**
 * Sends mail to a real SMTP server. Tests TLS, authentication, temporary and permanent refusals,
 * and servers that hang.
 */

import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import forge from 'node-forge';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { sendMailAndRecordFailure } from '@/modules/reservations/mail-reports';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { clearDatabase, insertTeam } from '@/testing/team';
import { queueMail } from './service';
import { buildMailMessageId, checkSmtpConnection } from './smtp';

interface Received {
  from: string;
  to: string[];
  user: string | undefined;
  secure: boolean;
  raw: string;
}

let scope: Scope;
let time: FakeClock;
const servers: { close(done: () => void): unknown }[] = [];
const received: Received[] = [];
let tls: { key: string; cert: string };
const trusted = process.env.NODE_TLS_REJECT_UNAUTHORIZED;

beforeAll(async () => {
  await openTestDatabase();
  tls = selfSigned();
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  scope = await insertTeam();
  received.length = 0;
  setConfig({ resend_api_key: undefined, mail_from: 'Casa Azul <stay@casa-azul.example>' });
});
afterEach(async () => {
  setClock(null);
  setConfig({ smtp_url: undefined });
  restore();
  for (const server of servers.splice(0)) await new Promise<void>((closed) => void server.close(closed));
});

function restore() {
  if (trusted === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trusted;
}
/** Accepts the test server's self-signed certificate. */
const trustAnyone = () => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
};

function selfSigned() {
  const { publicKey, privateKey } = forge.pki.rsa.generateKeyPair(2048);
  const cert = forge.pki.createCertificate();
  cert.publicKey = publicKey;
  cert.serialNumber = '01';
  cert.validity.notBefore = new Date(Date.now() - 86_400_000);
  cert.validity.notAfter = new Date(Date.now() + 86_400_000);
  const name = [{ name: 'commonName', value: 'localhost' }];
  cert.setSubject(name);
  cert.setIssuer(name);
  cert.sign(privateKey, forge.md.sha256.create());
  return { key: forge.pki.privateKeyToPem(privateKey), cert: forge.pki.certificateToPem(cert) };
}

async function listening(server: { listen(port: number, host: string, done: () => void): unknown }): Promise<void> {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
}

/**
 * Starts an SMTP server that accepts mail from `post` with the password `p@ss/word`. `options`
 * override the defaults. Returns the port.
 */
async function start(options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({
    ...tls,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'post' && password === 'p@ss/word'
        ? done(null, { user: username })
        : done(new Error('Who are you?')),
    onData: (stream, session, done) => {
      let raw = '';
      stream.on('data', (part: Buffer) => {
        raw += part.toString();
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          secure: session.secure,
          raw,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await listening(server);
  servers.push(server);
  return (server.server.address() as AddressInfo).port;
}

/** Starts a TCP server that does not follow the protocol. */
async function startRaw(greet: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    greet(socket);
  });
  await listening(server);
  servers.push({
    close: (done: () => void) => {
      for (const socket of sockets) socket.destroy();
      server.close(done);
    },
  });
  return (server.address() as AddressInfo).port;
}

const withPassword = (scheme: string, port: number) => `${scheme}://post:p%40ss%2Fword@127.0.0.1:${port}`;

async function queue(id = 'mail_1', subject = 'Grüße – please sign'): Promise<string> {
  await inTransaction(scope, () =>
    queueMail(scope, {
      id,
      template: 'packet',
      to: 'ana@example.com',
      subject,
      html: '<p>Hello</p>',
      text: 'Hello',
    }),
  );
  return id;
}
const PDF = { filename: 'copy.pdf', content: new Uint8Array(Buffer.from('%PDF-1.7 of the guest')) };
const send = (id: string) => sendMailAndRecordFailure(id, async () => [PDF]);
const stored = (id: string) => systemDb().mailMessage.findUniqueOrThrow({ where: { id } });
const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode });

describe('a mail', () => {
  it.each(['smtps', 'smtp'])(
    'is sent by %s, encrypted and authenticated, with a Message-ID of its own',
    async (scheme) => {
      trustAnyone();
      setConfig({ smtp_url: withPassword(scheme, await start({ secure: scheme === 'smtps' })) });
      const id = await queue();
      expect(await send(id)).toEqual({ outcome: 'sent' });
      expect(received).toMatchObject([
        { from: 'stay@casa-azul.example', to: ['ana@example.com'], user: 'post', secure: true },
      ]);
      const [mail] = received;
      expect(mail?.raw).toMatch(/^Message-ID: <mail_1@casa-azul\.example>\r$/m);
      expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
      expect(mail?.raw).toMatch(/^From: Casa Azul <stay@casa-azul\.example>\r$/m);
      expect(mail?.raw).toContain('multipart/alternative');
      expect(await stored(id)).toMatchObject({ status: 'sent', provider_id: buildMailMessageId(id), last_error: null });
      // The mail is not sent again.
      expect(await send(id)).toEqual({ outcome: 'not_due' });
    },
  );

  it('is sent to a relay without password and encryption when so configured', async () => {
    const port = await start({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] });
    setConfig({ smtp_url: `smtp://127.0.0.1:${port}?starttls=off` });
    expect(await send(await queue())).toEqual({ outcome: 'sent' });
  });

  it('is sent with its attachment and Reply-To', async () => {
    trustAnyone();
    setConfig({ smtp_url: withPassword('smtps', await start({ secure: true })) });
    const id = await queue();
    await systemDb().mailMessage.update({
      where: { id },
      data: { reply_to: 'host@casa-azul.example', attachment: 'sig_1' },
    });
    expect(await send(id)).toEqual({ outcome: 'sent' });
    const raw = received[0]?.raw ?? '';
    expect(raw).toMatch(/^Reply-To: host@casa-azul\.example\r$/m);
    expect(raw).toContain('filename=copy.pdf');
    expect(raw).toContain(Buffer.from(PDF.content).toString('base64'));
  });

  it('is queued in live mode and captured in test mode', async () => {
    setConfig({ smtp_url: 'smtp://127.0.0.1:1' });
    expect((await stored(await queue())).status).toBe('queued');
    scope = { ...scope, mode: 'test' };
    expect((await stored(await queue('mail_2'))).status).toBe('captured');
  });

  it('accepted by a server that dies before responding is resent with the same Message-ID', async () => {
    trustAnyone();
    const port = await start({
      secure: true,
      onData: (stream, _session, done) => {
        let raw = '';
        stream.on('data', (part: Buffer) => {
          raw += part.toString();
        });
        stream.on('end', () => {
          received.push({ from: '', to: [], user: undefined, secure: true, raw });
          if (received.length > 1) return done();
          // Closes the connection before the response is sent.
          for (const one of (servers[0] as unknown as { connections: Set<{ close(): void }> }).connections) one.close();
        });
      },
    });
    setConfig({ smtp_url: withPassword('smtps', port) });
    const id = await queue();
    expect(await send(id)).toMatchObject({ outcome: 'retry' });
    time.advance(60_000);
    expect(await send(id)).toEqual({ outcome: 'sent' });
    const ids = received.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw)?.[1]);
    expect(ids).toEqual([buildMailMessageId(id), buildMailMessageId(id)]);
  });

  it('with line breaks in its subject gains no extra headers', async () => {
    trustAnyone();
    setConfig({ smtp_url: withPassword('smtps', await start({ secure: true })) });
    await send(await queue('mail_1', 'Hello\r\nBcc: everybody@example.com'));
    expect(received[0]?.to).toEqual(['ana@example.com']);
    expect(received[0]?.raw).not.toMatch(/^Bcc:/m);
  });
});

describe('a refusal', () => {
  it.each<[string, SMTPServerOptions, 'retry' | 'failed']>([
    ['of the recipient with a permanent code', { onRcptTo: (_to, _session, done) => done(refusal(550)) }, 'failed'],
    ['of the recipient with a temporary code', { onRcptTo: (_to, _session, done) => done(refusal(450)) }, 'retry'],
    [
      'of the mail with a permanent code',
      { onData: (stream, _s, done) => void stream.on('end', () => done(refusal(552))).resume() },
      'failed',
    ],
    [
      'of the mail with a temporary code',
      { onData: (stream, _s, done) => void stream.on('end', () => done(refusal(451))).resume() },
      'retry',
    ],
    ['of the sender', { onMailFrom: (_from, _session, done) => done(refusal(550)) }, 'retry'],
    ['of the password', { onAuth: (_auth, _session, done) => done(refusal(535)) }, 'retry'],
    ['of the connection', { onConnect: (_session, done) => done(refusal(554)) }, 'retry'],
  ])('%s leads to $2', async (_what, options, outcome) => {
    trustAnyone();
    setConfig({ smtp_url: withPassword('smtps', await start({ secure: true, ...options })) });
    const id = await queue();
    expect(await send(id)).toMatchObject({ outcome });
    expect(await stored(id)).toMatchObject({ status: outcome === 'failed' ? 'failed' : 'queued', attempts: 1 });
    expect(received).toEqual([]);
  });

  it('comes from our side when the connection is not encrypted: neither password nor mail is sent', async () => {
    const port = await start({ disabledCommands: ['STARTTLS'], authOptional: true });
    setConfig({ smtp_url: withPassword('smtp', port) });
    expect(await send(await queue())).toMatchObject({ outcome: 'retry', reason: expect.stringMatching(/TLS/i) });
    expect(received).toEqual([]);
  });

  it('comes from our side when the server’s certificate is not trusted', async () => {
    for (const scheme of ['smtps', 'smtp']) {
      setConfig({ smtp_url: withPassword(scheme, await start({ secure: scheme === 'smtps' })) });
      const reason = expect.stringMatching(/certificate|self.signed/i);
      expect(await send(await queue(`mail_${scheme}`))).toMatchObject({ outcome: 'retry', reason });
    }
    expect(received).toEqual([]);
  });
});

describe('an SMTP server that', () => {
  it.each(
    selectSampledCases<[string, (socket: Socket) => void]>([
      ['sends nothing', () => {}],
      ['speaks another protocol', (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
      ['closes the connection', (socket) => void socket.end()],
      ['stops after its greeting', (socket) => void socket.write('220 here\r\n')],
      [
        'sends an endless greeting',
        (socket) => {
          const drip = setInterval(() => socket.write('220-'), 500);
          socket.on('close', () => clearInterval(drip));
        },
      ],
    ]),
  )('%s costs one attempt of limited time', { ...MATRIX_TEST_OPTIONS, timeout: 40_000 }, async (_what, greet) => {
    setConfig({ smtp_url: `smtp://127.0.0.1:${await startRaw(greet)}?starttls=off` });
    const began = performance.now();
    expect(await send(await queue())).toMatchObject({ outcome: 'retry' });
    expect(performance.now() - began).toBeLessThan(25_000);
  });

  it('is unreachable causes a retry', async () => {
    setConfig({ smtp_url: 'smtp://127.0.0.1:1' });
    expect(await send(await queue())).toMatchObject({
      outcome: 'retry',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

it('a check of the server reports whether mail could be sent, without sending any', async () => {
  trustAnyone();
  const port = await start({ secure: true });
  await checkSmtpConnection(withPassword('smtps', port));
  await expect(checkSmtpConnection(`smtps://post:wrong@127.0.0.1:${port}`)).rejects.toThrow(/Who are you/);
  expect(received).toEqual([]);
});
