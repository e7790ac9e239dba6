/**
 * The entry of `threshold-admin` and `npm run admin`. Prints one line of JSON on stdout, or tables
 * on a terminal. Errors are one line on stderr with exit status 1, or 2 for a usage error.
 */
import { readFile } from 'node:fs/promises';
import { config, setConfig } from '@/config';
import { type ParsedOperatorCommand, parseOperatorCommand, UsageError } from './command-line/commands';
import { PROGRAM_NAME, renderHelpText, renderShellCompletionScript } from './command-line/help';
import { readPassword } from './command-line/password';
import { formatCommandResult } from './command-line/present';

const say = (text: string) => new Promise((written) => process.stdout.write(text, written));

async function main(argv: string[]): Promise<number> {
  const asked = new Set(argv);
  if (asked.has('--help') || asked.has('-h') || argv[0] === 'help') {
    await say(renderHelpText(argv.filter((word) => !word.startsWith('-') && word !== 'help').slice(0, 2)));
    return 0;
  }
  if (argv[0] === '--version' || argv[0] === '-V' || argv[0] === 'version') {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    await say(`${PROGRAM_NAME} ${version}\n`);
    return 0;
  }
  // npm runs scripts in the project's folder, but the operator's paths are relative to the folder
  // in which npm was called.
  const command = await readCommand(
    argv.filter((word) => word !== '--json' && word !== '--table'),
    process.env.INIT_CWD ?? process.cwd(),
  );
  if (command.name === 'completion') {
    await say(renderShellCompletionScript(command.options.shell));
    return 0;
  }
  // Silences logs and redirects the output of libraries, because stdout is only for the result.
  setConfig({ ...config(), log_level: 'silent' });
  console.log = console.error;
  console.info = console.error;
  // This module is loaded after the command line was parsed, so that a usage error is reported at
  // once.
  const { executeOperatorCommand } = await import('./run-command');
  const result = await executeOperatorCommand(command);
  const for_people = asked.has('--table') || (process.stdout.isTTY === true && !asked.has('--json'));
  await say(for_people ? formatCommandResult(result) : `${JSON.stringify(result)}\n`);
  // The exit status of a check shows scripts whether it passed.
  const checks = command.name === 'doctor' || / (verify|move)$/.test(command.name);
  return checks && !(result as { ok: boolean }).ok ? 1 : 0;
}

/** Prompts for the password once everything else is valid. */
async function readCommand(argv: string[], cwd: string): Promise<ParsedOperatorCommand> {
  try {
    return parseOperatorCommand(argv, cwd);
  } catch (error) {
    if (!(error instanceof UsageError) || error.missing !== 'owner_password') throw error;
    const password = await readPassword('The owner’s password', process.stdin, (text) => process.stderr.write(text));
    if (!password) throw error;
    return parseOperatorCommand(argv, cwd, { owner_password: password });
  }
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).join(' ') || 'It failed without a message.';
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${oneLine(error)}\n`, () => process.exit(error instanceof UsageError ? 2 : 1));
  },
);
