/** A clock that only moves when a test sets it. */
import { setClock } from '@/shared/clock';

export interface FakeClock {
  now(): Date;
  set(time: Date | string): void;
  advance(ms: number): void;
}

/** Installs a fake clock for the process. `setClock(null)` restores the system's clock. */
export function installFakeClock(start: string): FakeClock {
  let time = Date.parse(start);
  const clock: FakeClock = {
    now: () => new Date(time),
    set: (to) => {
      time = new Date(to).getTime();
    },
    advance: (ms) => {
      time += ms;
    },
  };
  setClock(clock);
  return clock;
}
