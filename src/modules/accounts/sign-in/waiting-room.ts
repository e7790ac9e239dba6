/** Where tries wait for their turn to be looked at: a few of one client, and not so many that waiting itself is the harm. */
import { setTimeout as sleep } from 'node:timers/promises';

export class WaitingRoom {
  private readonly waiting = new Map<string, number>();
  private total = 0;

  /** `per_client`: tries of one client at the same time. `seats`: tries altogether. */
  constructor(private readonly limits: { per_client: number; seats: number }) {}

  /**
   * Waits, and answers true; false at once when too many of the client's are waiting. With every seat taken nobody waits: a
   * stranger who fills the room must not shut others out.
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
