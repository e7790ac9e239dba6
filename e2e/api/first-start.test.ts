/** Tests a first start while strangers send requests to the server's port. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findFreePort, startTestServer } from '@/testing/server';

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

it('accepts no connection before the owner’s account and keys exist', { timeout: 120_000 }, async () => {
  const data_dir = await mkdtemp(join(tmpdir(), 'threshold-open-port-'));
  const port = await findFreePort();
  const starting = startTestServer({ port, data_dir });
  const read = (name: string) => readFile(join(data_dir, name), 'utf8').catch(() => '');
  while (!(await accepts(port))) await new Promise((next) => setTimeout(next, 2));
  // The account must be created before the port accepts connections. One of the two files then
  // contains it.
  const told = (await read('first-start.txt.unfinished')) || (await read('first-start.txt'));
  const server = await starting;
  try {
    expect(told).toMatch(/password[\s\S]+service_live_sk_\w+[\s\S]+service_test_sk_\w+/);
  } finally {
    await server.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
});
