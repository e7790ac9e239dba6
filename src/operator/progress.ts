/** Reports the progress of a long command on stderr, because stdout is only for the result. */
import type { BackupProgressListener } from './backup/archive';

const EVERY_MS = 1000;
const MEGABYTE = 1e6;

/**
 * Reports the number of rows and bytes on stderr, at most once a second. `done` is the first word
 * of each line, such as "written" or "restored".
 */
export function createProgressReporter(
  done: string,
  write = (line: string) => void process.stderr.write(line),
): BackupProgressListener {
  let next = performance.now() + EVERY_MS;
  return ({ rows, bytes, of_bytes }) => {
    if (performance.now() < next) return;
    next = performance.now() + EVERY_MS;
    const size = of_bytes
      ? ` of ${(of_bytes / MEGABYTE).toFixed(1)} MB (${Math.floor((bytes / of_bytes) * 100)} %)`
      : ' MB';
    write(`${done}: ${rows} rows, ${(bytes / MEGABYTE).toFixed(1)}${size}, byte ${bytes}\n`);
  };
}
