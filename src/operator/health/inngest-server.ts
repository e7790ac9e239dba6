/**
 * Checks a real Inngest server for the operator. Reports whether the server responds now, and the
 * earlier calls and refusals that the processes recorded.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '@/config';
import { getDurableRunsStoppedReason } from '@/infra/durable-runs';
import { type InngestConnectionStatus, readInngestConnectionStatus } from '@/infra/process/processes';
import { clock } from '@/shared/clock';
import { createInngestServerClient, inngestHeartbeatEvent } from '../../../inngest/client';

/**
 * How long to wait for a call of the server. It must exceed five seconds, the interval at which a
 * process stores its contact with the server.
 */
const CALL_MS = 12_000;
const LOOK_MS = 250;

export interface InngestProbeResult {
  ok: boolean;
  says: string;
}

/** Sends the server an event, and waits until the server calls any process of the installation. */
export async function probeInngestServer(patience_ms = CALL_MS): Promise<InngestProbeResult> {
  const before = await readInngestConnectionStatus();
  const refused = await createInngestServerClient()
    .send({ name: inngestHeartbeatEvent.name, data: {} })
    .then(() => null)
    .catch((error: Error) => error.message);
  if (refused) return { ok: false, says: `The Inngest server refuses events: ${refused} ${history(before)}` };
  const began = performance.now();
  for (;;) {
    const contact = await readInngestConnectionStatus();
    const problem = getDurableRunsStoppedReason() ?? contact.durable_problem;
    if (contact.called_at && contact.called_at.getTime() !== before.called_at?.getTime())
      return problem
        ? { ok: false, says: `${problem} ${history(contact)}` }
        : { ok: true, says: `The Inngest server accepts events and calls this installation. ${history(contact)}` };
    if (performance.now() - began >= patience_ms) {
      const silent = `The Inngest server accepted an event, but called no server of this installation within ${patience_ms / 1_000} s.`;
      return { ok: false, says: `${problem ?? silent} ${history(contact)}` };
    }
    await sleep(LOOK_MS);
  }
}

/**
 * Describes when the server last called, when a call was last refused, and when the server last
 * refused an event.
 */
function history({ called_at, call_refused_at, send_failed_at, send_error }: InngestConnectionStatus): string {
  const ago = (moment: Date | null) =>
    moment ? `${Math.max(0, Math.round((clock().now().getTime() - moment.getTime()) / 1_000))} s ago` : 'never';
  const why = send_error ? ` (${send_error})` : '';
  return `It called ${ago(called_at)}; a call was refused ${ago(call_refused_at)}; it refused an event ${ago(send_failed_at)}${why}.`;
}

/** Returns whether a real Inngest server does the durable work. */
export const isInngestServerConfigured = (): boolean => config().inngest !== null;
