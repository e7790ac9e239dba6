/**
 * Delays attempts. The number of waiting attempts is limited for each client and in total, so that
 * waiting attempts do not exhaust memory.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export class AttemptQueue {
  private readonly waiting = new Map<string, number>();
  private total = 0;

  /** `per_client` limits the concurrent attempts of one client, `seats` those of all clients. */
  constructor(private readonly limits: { per_client: number; seats: number }) {}

  /**
   * Waits and returns true. Returns false at once when the client has too many attempts waiting.
   * When every seat is taken there is no delay, so that a stranger who fills the room cannot shut
   * others out.
   */
  async wait(client: string, milliseconds: number): Promise<boolean> {
    if (milliseconds === 0 || this.total >= this.limits.seats) return true;
    const already = this.waiting.get(client) ?? 0;
    if (already >= this.limits.per_client) return false;
    this.waiting.set(client, already + 1);
    this.total += 1;
    await sleep(milliseconds);
    this.total -= 1;
    const left = (this.waiting.get(client) ?? 1) - 1;
    if (left > 0) this.waiting.set(client, left);
    else this.waiting.delete(client);
    return true;
  }
}
