/**
 * Records the contact between this process and a real Inngest server: calls by the server, and
 * events sent to the server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { recordInngestCallMetric } from '@/infra/metrics';
import { saveInngestConnectionStatus } from '@/infra/process/processes';
import { clock } from '@/shared/clock';

class Contact {
  #called_at: Date | null = null;
  #call_refused_at: Date | null = null;
  #send_failed_at: Date | null = null;
  #send_error: string | null = null;
  #last_send_failed = false;

  called(): void {
    this.#called_at = clock().now();
    recordInngestCallMetric('called');
  }

  callRefused(): void {
    this.#call_refused_at = clock().now();
    recordInngestCallMetric('call_refused');
  }

  sent(): void {
    this.#last_send_failed = false;
    recordInngestCallMetric('sent');
  }

  sendFailed(error: string): void {
    this.#send_failed_at = clock().now();
    this.#send_error = error;
    this.#last_send_failed = true;
    recordInngestCallMetric('send_failed');
  }

  /** Returns why the last attempt to send events failed. Returns null when it succeeded. */
  get sendError(): string | null {
    return this.#last_send_failed ? this.#send_error : null;
  }

  get callRefusedAt(): Date | null {
    return this.#call_refused_at;
  }

  save(durable_problem: string | null): Promise<void> {
    return saveInngestConnectionStatus({
      called_at: this.#called_at,
      call_refused_at: this.#call_refused_at,
      send_failed_at: this.#send_failed_at,
      send_error: this.#send_error,
      durable_problem,
    });
  }

  reset(): void {
    this.#called_at = null;
    this.#call_refused_at = null;
    this.#send_failed_at = null;
    this.#send_error = null;
    this.#last_send_failed = false;
  }
}

export const inngestServerCallCounter = new Contact();

/**
 * Counts the server's calls by response status. Only a request signed with the key runs a function.
 * A stranger's request counts as refused and has no other effect.
 */
export function addInngestCallToCounterAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'POST') return;
  response.once('finish', () => {
    if (response.statusCode === 200 || response.statusCode === 206) inngestServerCallCounter.called();
    else if (response.statusCode === 401) inngestServerCallCounter.callRefused();
  });
}
