import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleInput } from '../testing/sample';
import { hasTool, temporaryFile } from '../testing/tools';

const DOCUMENT = readFileSync('docs/verify-content-hash.md', 'utf8');
const { snapshot, content_hash, trail } = sampleInput({ p12: new Uint8Array(), passphrase: '' });

/** Runs a script of the documentation beside a certificate with this audit trail. */
function runDocumented(language: string, command: string, file: string, audit_trail: unknown) {
  const code = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(DOCUMENT)?.[1] ?? '';
  const script = temporaryFile(file, code);
  const cwd = path.dirname(script);
  writeFileSync(path.join(cwd, 'certificate.json'), JSON.stringify({ audit_trail }));
  const { status, stdout, stderr } = spawnSync(command, [script], { cwd, encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
}

describe.each([
  ['python', 'python3', 'verify.py'],
  ['js', process.execPath, 'verify.mjs'],
])('the documented %s', (language, command, file) => {
  it.skipIf(!hasTool(command))('accepts what is whole and tells what was changed', () => {
    const whole = { snapshot, content_hash, entries: trail };
    expect(runDocumented(language, command, file, whole)).toMatchObject({ status: 0, stdout: `ok ${content_hash}` });

    const other_snapshot = { ...snapshot, packet: { ...snapshot.packet, rules: snapshot.packet.rules.slice(1) } };
    expect(runDocumented(language, command, file, { ...whole, snapshot: other_snapshot }).stderr).toContain(
      'the snapshot was changed',
    );

    const entries = trail.map((entry) => (entry.seq === 2 ? { ...entry, actor: 'someone else' } : entry));
    expect(runDocumented(language, command, file, { ...whole, entries }).stderr).toContain('entry 2 was changed');
    expect(runDocumented(language, command, file, { ...whole, entries: trail.slice(1) }).stderr).toContain(
      'broken before entry 2',
    );
  });
});
