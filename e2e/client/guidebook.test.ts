/**
 * Tests the sample application against a real server. The door code is withheld until the event
 * about its release arrives, and the release survives a restart.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Threshold } from '@threshold/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServiceSignatureHeaderValue } from '@/modules/webhooks/delivery/signature.rules';
import { findFreePort, hasNextJsBuild } from '@/testing/server';
import { createGuidebookServer } from '../../examples/guidebook/guidebook';
import { signHouseRulesOnPage, startInstallation, type TestInstallation } from '../support/installation';

const CODE = '4711#';
const DATES = { checkin_date: '2030-05-01', checkout_date: '2030-05-05' };

describe.skipIf(!hasNextJsBuild())('the guidebook', () => {
  let installation: TestInstallation;
  let threshold: Threshold;
  let folder: string;
  let port: number;
  let server: Server;

  const url = () => `http://127.0.0.1:${port}`;
  async function open(): Promise<void> {
    server = await createGuidebookServer({ threshold, public_url: url(), file: join(folder, 'guidebook.json') });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    // Waits until this process's fetch has noticed that its connections are closed.
    await sleep(100);
  }
  const textOf = async (address: string) => (await fetch(address)).text();
  async function stayOf(guest_name: string): Promise<{ guidebook: string; reservation_id: string }> {
    const body = JSON.stringify({ guest_name, guest_email: 'ada@example.com', ...DATES });
    const answer = await fetch(`${url()}/stays`, { method: 'POST', body });
    expect(answer.status).toBe(201);
    return answer.json() as never;
  }
  const sign = async (id: string) =>
    signHouseRulesOnPage(installation.origin, (await threshold.reservations.copyLink(id)).signingUrl ?? '');
  async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
    for (let turn = 0; turn < 300 && !(await holds()); turn++) await sleep(100);
    expect(await holds()).toBe(true);
  }

  beforeAll(async () => {
    installation = await startInstallation();
    threshold = new Threshold({ apiKey: installation.test_key, baseUrl: `${installation.origin}/v1` });
    folder = mkdtempSync(join(tmpdir(), 'threshold-guidebook-'));
    port = await findFreePort();
    await open();
  });
  afterAll(async () => {
    await close();
    await installation?.server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has about two hundred lines', () => {
    expect(readFileSync('examples/guidebook/guidebook.ts', 'utf8').split('\n').length).toBeLessThan(230);
  });

  it('shows the door code only after the guest has signed, and safety notes always', async () => {
    const { guidebook, reservation_id } = await stayOf('Ada <Lovelace>');
    const before = await textOf(guidebook);
    expect(before).not.toContain(CODE);
    expect(before).toContain('Emergency: 112');
    expect(before).toContain('Ada &#60;Lovelace&#62;');
    await sign(reservation_id);
    await until(async () => (await textOf(guidebook)).includes(CODE));
  });

  it('shows the door code to no other guest, and not because of an event with a forged signature', async () => {
    const { guidebook, reservation_id } = await stayOf('Grace Hopper');
    const forged = {
      id: 'evt_forged',
      type: 'reservation.arrival_details_released',
      sequence: 999,
      data: { object: { id: reservation_id }, arrival_release: { released: ['door_code'] } },
    };
    const headers = { 'Service-Signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` };
    const answer = await fetch(`${url()}/webhooks/threshold`, {
      method: 'POST',
      headers,
      body: JSON.stringify(forged),
    });
    expect([answer.status, await answer.text()]).toEqual([400, 'no_match']);
    expect(await textOf(guidebook)).not.toContain(CODE);
  });

  it('applies events in the order of their sequence numbers, not of their arrival', async () => {
    const { guidebook, reservation_id } = await stayOf('Mary Somerville');
    const { secret } = JSON.parse(readFileSync(join(folder, 'guidebook.json'), 'utf8'));
    const tell = async (sequence: number, type: string, more: object = {}) => {
      const data = { object: { id: reservation_id }, ...more };
      const body = JSON.stringify({ id: `evt_${sequence}`, type, created_at: 'then', sequence, data });
      const headers = {
        'Service-Signature': buildServiceSignatureHeaderValue([secret], Math.floor(Date.now() / 1000), body),
      };
      const answer = await fetch(`${url()}/webhooks/threshold`, { method: 'POST', headers, body });
      expect(answer.status).toBe(204);
      return (await textOf(guidebook)).includes(CODE);
    };
    const arrival_release = { state: 'override_released', released: ['door_code'], withheld: [] };
    const early = { arrival_release, by: 'Olga', reason: 'Arrives at night.' };
    expect(await tell(1_005, 'reservation.arrival_details_override_released', early)).toBe(true);
    expect(await tell(1_007, 'reservation.cancelled', { reason: 'host' })).toBe(false);
    expect(await tell(1_006, 'reservation.arrival_details_released', { arrival_release })).toBe(false);
  });

  it('sends at its next start the reservation that was created but not sent', async () => {
    await close();
    const cut = threshold;
    threshold = new Threshold({
      apiKey: installation.test_key,
      baseUrl: `${installation.origin}/v1`,
      maxRetries: 0,
      fetch: (address, init) => (address.endsWith('/send') ? Promise.reject(new Error('cut')) : fetch(address, init)),
    });
    await open();
    const body = JSON.stringify({ guest_name: 'Sofia K', guest_email: 'sofia@example.com', ...DATES });
    expect((await fetch(`${url()}/stays`, { method: 'POST', body })).status).toBe(502);
    await close();
    threshold = cut;
    await open();
    const made = [];
    for await (const one of threshold.reservations.list()) if (one.guest_name === 'Sofia K') made.push(one.status);
    expect(made).toEqual(['sent']);
  });

  it('restores its state after a restart, fetches missed events, and creates nothing twice', async () => {
    const { guidebook, reservation_id } = await stayOf('Emmy Noether');
    await close();
    await sign(reservation_id);
    await open();
    await until(async () => (await textOf(guidebook)).includes(CODE));
    const [properties, endpoints] = [await threshold.properties.list(), await threshold.webhookEndpoints.list()];
    expect([properties.data.length, endpoints.data.length]).toEqual([1, 1]);
  });
});
