/**
 * Sends the operator's commands to the server of the browser tests over its socket, like `npm run
 * admin`. This is faster than a process for each command.
 */
import { callOperatorSocket } from '../../src/infra/operator-socket';
import { type ParsedOperatorCommand, parseOperatorCommand } from '../../src/operator/command-line/commands';
import type { CreatedTeam, NewTeamDetails } from '../../src/testing/server';

/** Executes `admin …` and returns its result. Rejects with the server's message. */
export async function runAdminCommand<Result>(...args: string[]): Promise<Result> {
  return (await execute(parseOperatorCommand(args, process.cwd()))) as Result;
}

/** Creates a team, as `admin team create` does after reading the password. */
export async function createTeam({ name, email, password }: NewTeamDetails, plan = 'pro'): Promise<CreatedTeam> {
  const args = ['team', 'create', '--name', name, '--owner-email', email, '--plan', plan];
  return (await execute(parseOperatorCommand(args, process.cwd(), { owner_password: password }))) as CreatedTeam;
}

const execute = (command: ParsedOperatorCommand) => callOperatorSocket(process.env.E2E_DATA_DIR ?? '', command);
