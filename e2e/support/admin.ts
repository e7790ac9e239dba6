/** The operator's command, against the server of the browser tests. */
import { execFile } from 'node:child_process';

/** Runs `admin …` and gives its JSON. Rejects with what it printed on stderr. */
export function admin<Result>(...args: string[]): Promise<Result> {
  return new Promise((done, fail) => {
    execFile(process.execPath, ['scripts/admin.mjs', ...args], { env: process.env }, (error, stdout, stderr) => {
      if (error) fail(new Error(stderr.trim() || error.message));
      else done(JSON.parse(stdout) as Result);
    });
  });
}
