/**
 * Tests the operator's interface: help, completions, tables, password prompts, lists, exit
 * statuses.
 */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { createApiKey } from '@/modules/api-keys/service';
import { createEndpoint } from '@/modules/webhooks/service';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertSyncSource, insertTeam } from '@/testing/team';
import { executeCommand } from '../execute';
import { COMMAND_NAMES, getCommandDefinition, listCommandOptionFlags } from './command-list';
import { parseOperatorCommand } from './commands';
import { renderHelpText, renderShellCompletionScript } from './help';
import { type PasswordInputStream, readPassword } from './password';
import { formatCommandResult } from './present';

describe('help', () => {
  it('lists every command with its purpose, and the exit codes', () => {
    const text = renderHelpText([]);
    for (const name of COMMAND_NAMES) expect(text).toContain(`  ${name} `);
    expect(text).toContain('--json');
    expect(text).toContain('2 on a usage error');
  });

  it.each(COMMAND_NAMES)('of %s lists its arguments and options', (name) => {
    const text = renderHelpText(name.split(' '));
    expect(text).toContain(`Usage: threshold-admin ${getCommandDefinition(name).usage}`);
    expect(getCommandDefinition(name).usage.startsWith(name)).toBe(true);
    for (const option of listCommandOptionFlags(name)) expect(text).toContain(`--${option.replaceAll('_', '-')}`);
  });

  it('of a subject covers all of its commands', () => {
    expect(renderHelpText(['key'])).toMatch(/key create[\s\S]*key list[\s\S]*key revoke/);
  });
});

/** Returns Bash's completions for the last word of a line. */
function offered(line: string): string[] {
  const words = line.split(' ');
  const script = `${renderShellCompletionScript('bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_threshold_admin
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: '/', encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

describe('completions', () => {
  it.each<[string, string[]]>([
    ['threshold-admin se', ['seal-key']],
    ['threshold-admin team ', ['create', 'list', 'set-plan', 'invite']],
    ['threshold-admin key re', ['revoke']],
    ['threshold-admin key create --mo', ['--mode']],
    ['threshold-admin key create --mode ', ['live', 'test']],
    ['threshold-admin sync-source create --kind channel_', ['channel_a_ical', 'channel_b_ical', 'channel_c_ical']],
    ['threshold-admin completion z', ['zsh']],
    ['threshold-admin backup --o', ['--out']],
  ])('of “%s” are %j', (line, expected) => {
    expect(offered(line)).toEqual(expected);
  });

  it('of a file argument are files', () => {
    expect(offered('threshold-admin certificate verify et')).toEqual(['etc']);
  });
});

describe('output for a person', () => {
  it('is a table for a list', () => {
    const data = [
      { id: 'team_1', name: 'Casa Azul', owners: ['a@b.co', 'c@d.co'], created_at: '2026-05-01T10:00:00.123Z' },
      { id: 'team_22', name: 'Ärger', owners: [], created_at: null },
    ];
    expect(formatCommandResult({ data, ok: true })).toBe(
      [
        'ID       NAME       OWNERS          CREATED AT',
        'team_1   Casa Azul  a@b.co, c@d.co  2026-05-01 10:00:00',
        'team_22  Ärger      -               -',
        '',
        'ok  true',
        '',
      ].join('\n'),
    );
    expect(formatCommandResult({ data: [] })).toBe('None.\n');
  });

  it('is otherwise one line per value', () => {
    expect(formatCommandResult({ team: { id: 'team_1' }, owner: { email: 'a@b.co' } })).toBe(
      'team.id      team_1\nowner.email  a@b.co\n',
    );
  });

  it('contains no characters that move the cursor, colour the terminal or reverse text', () => {
    const name = 'A\u001b[31mred\u0007\r\nB\u202eC\u009b1m';
    const text = formatCommandResult({ data: [{ name }], more: name });
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text.split('\n')).toHaveLength(5);
  });
});

describe('a password', () => {
  const input = (tty: boolean) => Object.assign(new PassThrough(), { isTTY: tty, raw: [] as boolean[] });
  const asking = (stream: ReturnType<typeof input>) => {
    const said: string[] = [];
    const withRaw: PasswordInputStream = Object.assign(stream, { setRawMode: (raw: boolean) => stream.raw.push(raw) });
    return { said, answer: readPassword('The password', withRaw, (text) => said.push(text)) };
  };

  it.each([
    ['a newline', 'pass word\n', 'pass word'],
    ['a Windows newline', 'pass\r\n', 'pass'],
    ['the end of input', 'päss', 'päss'],
    ['empty input', '', null],
    ['an empty line', '\nsecond\n', null],
  ])('that is piped in ends with %s', async (_what, text, expected) => {
    const stream = input(false);
    const { said, answer } = asking(stream);
    for (const byte of Buffer.from(text)) stream.write(Buffer.from([byte]));
    stream.end();
    expect(await answer).toBe(expected);
    expect([said, stream.raw]).toEqual([[], []]);
  });

  it('is typed twice at a terminal, and not echoed', async () => {
    const stream = input(true);
    const { said, answer } = asking(stream);
    stream.write('sesamx\u007fe\r');
    stream.write('sesame\r');
    expect(await answer).toBe('sesame');
    expect(said.join('')).not.toContain('sesam');
    expect(stream.raw).toEqual([true, false]);
  });

  it.each([
    ['two different entries', 'one\rtwo\r', /passwords differ/],
    ['Ctrl-C', 'one\u0003', /Nothing was done/],
  ])('is not accepted from %s, and the terminal mode is restored', async (_what, typed, message) => {
    const stream = input(true);
    const { answer } = asking(stream);
    stream.write(typed);
    await expect(answer).rejects.toThrow(message);
    expect(stream.raw).toEqual([true, false]);
  });
});

describe('lists', () => {
  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  const list = async (line: string) =>
    ((await executeCommand(parseOperatorCommand(line.split(' '), '/'))) as { data: Record<string, unknown>[] }).data;

  it('cover all teams or one, newest first, and contain no secret', async () => {
    const scope = await insertTeam();
    const other = await insertTeam('live', 'other@example.com');
    const { id, key } = await createApiKey(scope, { name: 'CI' });
    await createApiKey({ ...scope, mode: 'test' }, { name: 'Practice' });
    const endpoint = await createEndpoint(scope, { url: 'https://hooks.example/a', events: ['*'] });
    const source = await insertSyncSource(other);

    const teams = await list('team list');
    expect(teams.map((team) => team.id)).toEqual([other.team_id, scope.team_id]);
    expect(teams[1]).toMatchObject({ plan: 'pro', owners: ['owner@example.com'], members: 1 });
    expect(await list('team list --limit 1')).toHaveLength(1);
    expect(await list(`key list --team ${scope.team_id} --mode live`)).toMatchObject([
      { id, mode: 'live', name: 'CI' },
    ]);
    expect(await list('key list')).toHaveLength(2);
    expect(await list(`key list --team ${other.team_id}`)).toEqual([]);
    expect(await list('endpoint list')).toMatchObject([
      { team: scope.team_id, url: 'https://hooks.example/a', status: 'enabled' },
    ]);
    expect(await list('sync-source list')).toMatchObject([{ id: source, team: other.team_id, kind: 'forward_email' }]);
    const all = JSON.stringify([await list('key list'), await list('endpoint list'), await list('sync-source list')]);
    const { inbound_token } = await systemDb().syncSource.findUniqueOrThrow({ where: { id: source } });
    const { hash } = await systemDb().apiKey.findUniqueOrThrow({ where: { id } });
    for (const secret of [key, hash, endpoint.secret]) expect(all).not.toContain(secret);
    expect(inbound_token).toBe(source);
    await expect(list('key list --team team_none')).rejects.toThrow('There is no team team_none.');
  });
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}
const run = (...args: string[]) =>
  new Promise<Ended>((done) => {
    const child = execFile(
      process.execPath,
      ['scripts/admin.mjs', ...args],
      { env: { ...process.env, ENV_FILE: '' } },
      (error, stdout, stderr) => done({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    );
    child.stdin?.end();
  });

describe('the program', () => {
  const { bin, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    bin: Record<string, string>;
    version: string;
  };

  it('is an executable of its own', () => {
    const file = bin['threshold-admin'] ?? '';
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(file).mode & 0o111).toBe(0o111);
  });

  it.each<[string[], number, RegExp, RegExp]>([
    [['--help'], 0, /^Usage: threshold-admin COMMAND/, /^$/],
    [['--version'], 0, new RegExp(`^threshold-admin ${version.replaceAll('.', '\\.')}\n$`), /^$/],
    [['team', 'destroy'], 2, /^$/, /^There is no command "team destroy"\. Commands: [^\n]*\n$/],
    [['team', 'create', '--name', 'N', '--owner-email', 'a@b.co'], 2, /^$/, /^The owner password is missing[^\n]*\n$/],
    [['backup', 'verify', '/nowhere/b.gz'], 1, /^$/, /^[^\n]+\n$/],
  ])('%j ends with %i', { timeout: 120_000 }, async (args, code, stdout, stderr) => {
    const ended = await run(...args);
    expect(ended.stdout).toMatch(stdout);
    expect(ended.stderr).toMatch(stderr);
    expect(ended.code).toBe(code);
  });
});
