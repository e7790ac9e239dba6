/** `npm run admin`: one line of JSON on stdout and nothing else; errors are one line on stderr and exit status 1. */
import { config, setConfig } from '@/config';
import { parseCommand, USAGE } from './commands';

async function main(argv: string[]): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h') || argv[0] === 'help') {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  // npm runs scripts in the project's folder; files are named from where the operator is.
  const command = parseCommand(argv, process.env.INIT_CWD ?? process.cwd());
  // Logs and libraries' messages go to stdout, which is for the answer alone.
  setConfig({ ...config(), log_level: 'silent' });
  console.log = console.error;
  console.info = console.error;
  // Loaded only now, so that a mistyped command is answered at once.
  const { runCommand } = await import('./run-command');
  const result = await runCommand(command);
  await new Promise((written) => process.stdout.write(`${JSON.stringify(result)}\n`, written));
  // What a script asks a check for is whether it holds.
  const checks = command.name === 'doctor' || command.name.endsWith(' verify');
  return checks && !(result as { ok: boolean }).ok ? 1 : 0;
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).join(' ') || 'It failed without a message.';
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${oneLine(error)}\n`, () => process.exit(1));
  },
);
