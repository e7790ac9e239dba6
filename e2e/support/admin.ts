/**
 * The operator's commands, against the server of the browser tests: over its socket, as `npm run admin` does, without a
 * process for each.
 */
import { callOperatorSocket } from '../../src/infra/operator-socket';
import { parseCommand } from '../../src/operator/command-line/commands';

/** Executes `admin …` and gives its result. Rejects with the server's message. */
export async function admin<Result>(...args: string[]): Promise<Result> {
  const command = parseCommand(args, process.cwd());
  return (await callOperatorSocket(process.env.E2E_DATA_DIR ?? '', command)) as Result;
}
