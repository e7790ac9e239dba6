/**
 * Runs the documentation's samples as a new user would, in every language whose runtime is
 * installed on this machine.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { isProgramInstalled } from '@/modules/certificates/testing/tools';

export interface ProgramResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a program in a folder. Runs it asynchronously, because the server that it calls may be in
 * this process.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...environment } });
    const ended = { stdout: '', stderr: '' };
    child.stdout.on('data', (data) => {
      ended.stdout += data;
    });
    child.stderr.on('data', (data) => {
      ended.stderr += data;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...ended }));
  });
}

export const createTemporaryFolder = () => mkdtempSync(path.join(tmpdir(), 'threshold-docs-'));

/** Writes files to a new folder. TypeScript files are converted so that Node can run them. */
export async function writeCodeSampleFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = createTemporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  const entryPoints = Object.keys(files).filter((name) => name.endsWith('.ts'));
  if (entryPoints.length > 0)
    await build({
      absWorkingDir: cwd,
      entryPoints,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      alias: { '@threshold/client': path.resolve('packages/client/src/index.ts') },
      outdir: cwd,
      outExtension: { '.js': '.mjs' },
      logLevel: 'error',
    });
  return cwd;
}

/**
 * The command that runs a sample of each language. Null where a tool is missing on this machine.
 */
export const CODE_SAMPLE_LANGUAGE_RUNTIMES: Record<string, { tool: string; args: (file: string) => string[] }> = {
  sh: { tool: 'bash', args: (file) => [file] },
  ts: { tool: 'node', args: (file) => [file.replace(/\.ts$/, '.mjs')] },
  python: { tool: 'python3', args: (file) => [file] },
  php: { tool: 'php', args: (file) => [file] },
  ruby: { tool: 'ruby', args: (file) => [file] },
  go: { tool: 'go', args: (file) => ['run', file] },
};
export const CODE_SAMPLE_FILE_EXTENSIONS: Record<string, string> = { python: 'py', ruby: 'rb' };
export const getCodeSampleFileName = (language: string) =>
  `sample.${CODE_SAMPLE_FILE_EXTENSIONS[language] ?? language}`;
/** Returns the reason why a sample cannot run on this machine. Empty when it can. */
export const getCodeSampleSkipReason = (language: string) =>
  isProgramInstalled(CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!.tool)
    ? ''
    : ` (skipped: no ${CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!.tool} here)`;
export const listCodeSampleCases = (languages: string[]) =>
  languages.map((language) => [language, getCodeSampleSkipReason(language)] as const);
