/**
 * Delays attempts. Limits the number of waiting attempts for each client and in total, to limit the
 * memory that they use.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export class SignInAttemptQueue {
  private readonly waiting = new Map<string, number>();
  private total = 0;

  /**
   * `per_client` limits the waiting attempts of one client, and `seats` limits the waiting attempts
   * of all clients together.
   */
  constructor(private readonly limits: { per_client: number; seats: number }) {}

  /**
   * Waits, then returns true. Returns false at once when the client has too many attempts waiting.
   * Returns true at once when the limit on all waiting attempts is reached, so that a stranger who
   * reaches it cannot lock others out.
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
