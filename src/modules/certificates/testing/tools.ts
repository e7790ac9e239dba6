/** Third-party tools that check files. A test is skipped when its tool is not installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateSealingKey } from '../seal/sealing-key';

export const isProgramInstalled = (name: string) => spawnSync(name, ['-h'], { stdio: 'ignore' }).error === undefined;

/** Writes a file into a new folder below the system's temporary folder. */
export function writeTemporaryFile(name: string, bytes: Uint8Array | string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'threshold-')), name);
  writeFileSync(file, bytes);
  return file;
}

/** Runs a tool and returns its output. Throws when the tool fails. */
export function runExternalProgram(command: string, args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Returns the text of a PDF, with each run of white space replaced by one space. */
export function extractPdfText(bytes: Uint8Array): string {
  return runExternalProgram('pdftotext', ['-raw', writeTemporaryFile('a.pdf', bytes), '-']).replace(/\s+/g, ' ');
}

export const generateTestSealingKey = () =>
  generateSealingKey({ common_name: 'Prüfstelle Łódź', now: new Date('2026-01-01T00:00:00Z') });
