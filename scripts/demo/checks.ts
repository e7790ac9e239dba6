/**
 * Checks of the demonstration. Values that a third party would compute are computed without the
 * product's code.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

/** Thrown when a result differs from the specification. */
export class DemoCheckFailedError extends Error {
  override name = 'DemoCheckFailedError';
}

/** Throws DemoCheckFailedError unless the two values are equal. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new DemoCheckFailedError(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

/** Throws DemoCheckFailedError unless `holds` is true. */
export function expectTrue(what: string, holds: boolean): void {
  if (!holds) throw new DemoCheckFailedError(what);
}

/** Returns JSON with sorted keys and no spaces: RFC 8785 for values whose numbers are integers. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

const digest = (value: unknown) => createHash('sha256').update(canonical(value)).digest('hex');

interface AuditTrail {
  snapshot: unknown;
  content_hash: string;
  entries: (Record<string, unknown> & { seq: number; prev_hash: string | null; hash: string })[];
}

/**
 * Recomputes the content hash and the chain of hashes of an audit trail
 * (docs/verify-content-hash.md).
 */
export function verifyAuditTrailHashes(trail: AuditTrail, content_hash: string): void {
  expectEqual('content_hash recomputed from the snapshot', digest(trail.snapshot), content_hash);
  expectEqual('content_hash in the audit trail', trail.content_hash, content_hash);
  let previous: string | null = null;
  for (const { hash, ...entry } of trail.entries) {
    expectEqual(`prev_hash of trail entry ${entry.seq}`, entry.prev_hash, previous);
    expectEqual(`hash of trail entry ${entry.seq}`, digest(entry), hash);
    previous = hash;
  }
}

type ToolResult = { code: number; output: string } | 'not installed';

function run(command: string, args: string[]): Promise<ToolResult> {
  return new Promise((done) => {
    execFile(command, args, (error, stdout, stderr) => {
      if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') return done('not installed');
      done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: `${stdout}${stderr}` });
    });
  });
}

/**
 * Checks the PDF with pdfsig and qpdf, if they are installed. Returns a short description of their
 * results.
 */
export async function checkPdfWithPdfsigAndQpdf(file: string): Promise<string> {
  const signature = await run('pdfsig', ['-nocert', file]);
  if (signature !== 'not installed') {
    expectTrue(
      `pdfsig does not call the seal valid:\n${signature.output}`,
      signature.output.includes('Signature is Valid'),
    );
    expectTrue(
      `pdfsig does not find the whole document signed:\n${signature.output}`,
      signature.output.includes('Total document signed'),
    );
  }
  const structure = await run('qpdf', ['--check', file]);
  if (structure !== 'not installed') expectEqual(`qpdf --check\n${structure.output}`, structure.code, 0);
  const say = (name: string, result: ToolResult, verdict: string) =>
    result === 'not installed' ? `${name} not installed` : `${name}: ${verdict}`;
  return `${say('pdfsig', signature, 'seal valid, whole document')}; ${say('qpdf', structure, 'clean')}`;
}

/** Calls a function until it returns a result. Throws DemoCheckFailedError after `timeout_ms`. */
export async function retryUntilResult<Result>(
  what: string,
  ask: () => Promise<Result | null>,
  timeout_ms = 60_000,
): Promise<Result> {
  const deadline = Date.now() + timeout_ms;
  for (;;) {
    const result = await ask();
    if (result !== null) return result;
    if (Date.now() > deadline) throw new DemoCheckFailedError(`${what} did not happen within ${timeout_ms / 1000} s`);
    await new Promise((done) => setTimeout(done, 200));
  }
}
