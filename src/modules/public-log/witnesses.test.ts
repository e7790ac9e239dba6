/**
 * Tests cosignatures by an HTTP witness with its own implementation of
 * https://c2sp.org/tlog-witness.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { sha256Hex } from '@/shared/canonical-json';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { addSealedFileToLog, readPublicLogFile } from './service';
import { requestCosignatures } from './witnesses';

const sha256 = (...parts: Uint8Array[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Verifies a consistency proof (RFC 9162, 2.1.4.2). */
function isConsistent(
  first: number,
  first_root: Buffer,
  second: number,
  second_root: Buffer,
  proof: Buffer[],
): boolean {
  if (first === second) return proof.length === 0 && first_root.equals(second_root);
  if (proof.length === 0) return false;
  const power_of_two = Number.isInteger(Math.log2(first));
  const path = power_of_two ? [first_root, ...proof] : proof;
  let [fn, sn] = [first - 1, second - 1];
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  let [fr, sr] = [path[0] as Buffer, path[0] as Buffer];
  for (const hash of path.slice(1)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      fr = sha256(Uint8Array.of(1), hash, fr);
      sr = sha256(Uint8Array.of(1), hash, sr);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else sr = sha256(Uint8Array.of(1), sr, hash);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return fr.equals(first_root) && sr.equals(second_root) && sn === 0;
}

interface TestWitness {
  setting: string;
  sizes: () => number[];
  answer: 'cosign' | 'fail' | 'forge' | 'ramble';
  close: () => Promise<unknown>;
}

async function openWitness(name: string): Promise<TestWitness> {
  const keys = generateKeyPairSync('ed25519');
  const raw = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
  const key = Buffer.concat([Uint8Array.of(4), raw(keys.publicKey)]);
  const id = sha256(Buffer.from(`${name}\n`), key).subarray(0, 4);
  const cosigned: { size: number; root: Buffer }[] = [{ size: 0, root: sha256() }];
  const witness = { answer: 'cosign' as TestWitness['answer'] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    if (witness.answer === 'fail') return response.writeHead(503).end();
    if (witness.answer === 'ramble') return response.writeHead(409).end('later');
    const end = body.indexOf('\n\n');
    const [old = '', ...lines] = body.slice(0, end).split('\n');
    const note = body.slice(end + 2);
    const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
    const [, size, root] = text.split('\n');
    const latest = cosigned.at(-1) as { size: number; root: Buffer };
    if (old !== `old ${latest.size}`)
      return response.writeHead(409, { 'Content-Type': 'text/x.tlog.size' }).end(`${latest.size}\n`);
    const next = { size: Number(size), root: Buffer.from(root ?? '', 'base64') };
    const proof = lines.map((line) => Buffer.from(line, 'base64'));
    const holds =
      latest.size === 0 ? proof.length === 0 : isConsistent(latest.size, latest.root, next.size, next.root, proof);
    if (!holds) return response.writeHead(422).end();
    cosigned.push(next);
    const time = 1_790_000_000n;
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), keys.privateKey);
    if (witness.answer === 'forge') signature[0] = (signature[0] ?? 0) ^ 1;
    const stamp = Buffer.alloc(8);
    stamp.writeBigUInt64BE(time);
    const line = Buffer.concat([id, stamp, signature]).toString('base64');
    response.end(`— another.example AAAAAAAA\n— ${name} ${line}\n`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/submit`;
  return Object.assign(witness, {
    setting: `${name}+${id.toString('hex')}+${key.toString('base64')} ${url}`,
    sizes: () => cosigned.map(({ size }) => size),
    close: () => new Promise((resolve) => server.close(resolve)),
  });
}

let scope: Scope;
let witnesses: TestWitness[] = [];
const enter = (name: string) => inTransaction(scope, () => addSealedFileToLog(scope, sha256Hex(Buffer.from(name))));
const read = async (kind: 'checkpoint' | 'cosigned-checkpoint') => String(await readPublicLogFile({ epoch: 1, kind }));
const signers = (note: string) => [...note.matchAll(/^— (\S+) /gm)].map(([, name]) => name);

beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);
beforeEach(async () => {
  await systemDb().logEntry.deleteMany();
  await systemDb().logNode.deleteMany();
  witnesses = [await openWitness('one.example/w'), await openWitness('two.example/w')];
  setConfig({ log_witnesses: witnesses.map(({ setting }) => setting) });
});
afterEach(async () => {
  setConfig({ log_witnesses: [] });
  for (const witness of witnesses) await witness.close();
});

describe('the witnesses', () => {
  it('accept the proof from every earlier size to every later one', async () => {
    const pairs = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const size of pairs) {
      await enter(`file ${size}`);
      // The second witness receives only some checkpoints.
      (witnesses[1] as TestWitness).answer = size % 7 === 0 || size % 5 === 0 ? 'cosign' : 'fail';
      await requestCosignatures().catch(() => {});
    }
    expect(witnesses[0]?.sizes()).toEqual([0, ...pairs]);
    expect(witnesses[1]?.sizes()).toEqual([0, 5, 7, 10, 14, 15, 20]);
  });

  it('add their lines to the checkpoint, which stays available after the log has grown', async () => {
    await enter('first');
    expect(await requestCosignatures()).toBe(2);
    const cosigned = await read('checkpoint');
    expect(signers(cosigned).slice(1)).toEqual(['one.example/w', 'two.example/w']);
    await enter('second');
    expect(signers(await read('checkpoint'))).toHaveLength(1);
    expect(await read('cosigned-checkpoint')).toBe(cosigned);
  });

  it('receive each checkpoint once', async () => {
    await enter('first');
    await requestCosignatures();
    await requestCosignatures();
    expect(witnesses[0]?.sizes()).toEqual([0, 1]);
  });

  it.each([
    ['fail', 'answered 503'],
    ['forge', 'without a valid cosignature'],
    ['ramble', '409 without the size'],
  ] as const)(
    'that %s (%s) do not affect another witness’s cosignature, and the job is retried',
    async (answer, message) => {
      await enter('first');
      (witnesses[0] as TestWitness).answer = answer;
      await expect(requestCosignatures()).rejects.toThrow(message);
      expect(signers(await read('cosigned-checkpoint')).slice(1)).toEqual(['two.example/w']);
    },
  );

  it('that cosigned a larger tree are reported, because this log was rolled back', async () => {
    for (const name of ['first', 'second', 'third']) await enter(name);
    await requestCosignatures();
    await systemDb().logEntry.delete({ where: { epoch_position: { epoch: 1, position: 2 } } });
    await systemDb().logNode.deleteMany({ where: { level: 0, position: 2 } });
    await expect(requestCosignatures()).rejects.toThrow('has cosigned 3 entries; this log has 2');
  });

  it('are not configured by default', async () => {
    setConfig({ log_witnesses: [] });
    await enter('first');
    expect(await requestCosignatures()).toBe(0);
    expect(await readPublicLogFile({ epoch: 1, kind: 'cosigned-checkpoint' })).toBeNull();
  });
});

it('a witness whose key does not match its id is refused', async () => {
  await enter('first');
  setConfig({ log_witnesses: [(witnesses[0] as TestWitness).setting.replace(/\+[0-9a-f]{8}\+/, '+00000000+')] });
  await expect(requestCosignatures()).rejects.toThrow('LOG_WITNESSES');
});
