import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendChainedTrailEntry } from '@/modules/trail/chain';
import { buildSampleCertificateInput } from '../testing/sample';
import { isProgramInstalled, writeTemporaryFile } from '../testing/tools';

const DOCUMENT = readFileSync('docs/verify-content-hash.md', 'utf8');
const { snapshot, content_hash, trail } = buildSampleCertificateInput({ p12: new Uint8Array(), passphrase: '' });

const TOP = {
  id: 'sig_1',
  reservation_id: snapshot.reservation.id,
  signed_at: '2026-02-27T10:00:00.000Z',
  content_hash,
  evidence: { status: 'verified', altered: [] as string[], sealed_entries: null },
};

/** Runs a documented script on a certificate with this audit trail. */
function runDocumented(language: string, command: string, file: string, audit_trail: unknown, top: object = {}) {
  const code = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(DOCUMENT)?.[1] ?? '';
  const script = writeTemporaryFile(file, code);
  const cwd = path.dirname(script);
  writeFileSync(path.join(cwd, 'certificate.json'), JSON.stringify({ ...TOP, ...top, audit_trail }));
  const sealed = {
    certificate_id: 'sig_1',
    content_hash,
    snapshot,
    entries: trail,
    signer: { signed_at: TOP.signed_at },
  };
  writeFileSync(path.join(cwd, 'audit-trail.json'), JSON.stringify(sealed));
  const { status, stdout, stderr } = spawnSync(command, [script], { cwd, encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
}

describe.each([
  ['python', 'python3', 'verify.py'],
  ['js', process.execPath, 'verify.mjs'],
])('the documented %s', (language, command, file) => {
  it.skipIf(!isProgramInstalled(command))('accepts an intact file and detects a changed one', () => {
    const made = {
      type: 'certificate.created',
      data: { certificate_id: 'sig_1' },
      created_at: '2026-03-01T00:00:00.000Z',
    };
    const last = trail.at(-1) ?? null;
    const whole = {
      snapshot,
      content_hash,
      entries: [...trail, appendChainedTrailEntry(last, { ...made, actor: null, ip: null, user_agent: null })],
    };
    expect(runDocumented(language, command, file, whole)).toMatchObject({ status: 0, stdout: `ok ${content_hash}` });

    const other_snapshot = { ...snapshot, packet: { ...snapshot.packet, rules: snapshot.packet.rules.slice(1) } };
    expect(runDocumented(language, command, file, { ...whole, snapshot: other_snapshot }).stderr).toContain(
      'the snapshot was changed',
    );

    const told = (entries: unknown[]) => runDocumented(language, command, file, { ...whole, entries }).stderr;
    const changed = (seq: number) =>
      whole.entries.map((entry) => (entry.seq === seq ? { ...entry, actor: 'someone else' } : entry));
    expect(told(changed(2))).toContain('the trail is not what was sealed');
    expect(told(changed(whole.entries.length))).toContain(`entry ${whole.entries.length} was changed`);
    expect(told(whole.entries.slice(1))).toContain('the trail is not what was sealed');
    expect(told(trail as unknown[])).toContain("the certificate's entry is missing");
    expect(told([])).toContain('nobody signed');

    const top = (changed: object) => runDocumented(language, command, file, whole, changed).stderr;
    for (const field of ['id', 'reservation_id', 'signed_at', 'content_hash'])
      expect(top({ [field]: 'x' })).toContain(`${field} is not what was sealed`);
    expect(top({ evidence: { status: 'altered', altered: ['signatures.signed_ip'], sealed_entries: null } })).toContain(
      'altered: signatures.signed_ip is not what was sealed',
    );
  });
});
