/** A clock that stands still until a test moves it. */
import { setClock } from '@/shared/clock';

export interface FakeClock {
  now(): Date;
  set(time: Date | string): void;
  advance(ms: number): void;
}

/** Installs a fake clock as the process's; `setClock(null)` goes back to the system's. */
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
