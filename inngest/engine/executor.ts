/**
 * Executes one claimed job. Calls the function and stores its results until the job ends or has to
 * wait.
 */

import type { RegisteredFunction } from './config';
import {
  buildInngestFunctionCallRequest,
  readSdkResponse,
  type SdkResponse,
  type StepOperation,
  toSerializedError,
} from './protocol';
import type { ClaimedJob } from './store/claim';
import {
  type CompletedStep,
  type EndedRun,
  type EngineRunResult,
  postponeSleepingJob,
  releaseJobLease,
  retryJob,
} from './store/progress';
import { parseDateOrDuration } from './timing';
import type { EngineLogger, EngineOptions, SerializedError, SqlDb } from './types';

/** A job that was running in this many crashed processes is treated as the cause of the crashes. */
const MAX_CRASHES = 20;
const COMMIT_TRIES = 3;

export interface JobExecutorDependencies {
  db: SqlDb;
  handler: EngineOptions['handler'];
  serve_url: string;
  signing_key: string;
  clock: { now(): Date };
  logger: EngineLogger;
  call_timeout_ms: number;
  backoff: (failed_attempts: number) => number;
  functions: ReadonlyMap<string, RegisteredFunction>;
  /** Stores the result of a completed step or sleep. Returns false when the lease was lost. */
  record: (done: CompletedStep) => Promise<boolean>;
  /** Ends a run. Returns false when the lease was lost. */
  finish: (ended: EndedRun) => Promise<boolean>;
  /** Schedules a check for the time at which work becomes due. */
  due: (run_at: Date) => void;
  stopping: () => boolean;
}

/**
 * Works on a job until it ends, is postponed, or another process has taken it over. Never throws.
 */
export async function executeJob(deps: JobExecutorDependencies, job: ClaimedJob): Promise<void> {
  try {
    await drive(deps, job, deps.functions.get(job.function_id)!);
  } catch (error) {
    // The job is repeated when its lease expires. The database may be available again by then.
    deps.logger.error(
      { err: error, run_id: job.run_id, function_id: job.function_id },
      'engine: a job was interrupted',
    );
  }
}

async function drive(deps: JobExecutorDependencies, job: ClaimedJob, fn: RegisteredFunction): Promise<void> {
  const { db, clock, due, record } = deps;
  const steps = [...job.steps];
  if (job.asleep) {
    const slept = { id: job.asleep, name: job.asleep, op: 'Sleep', memo: null };
    if (!(await commit(() => record({ job, step: slept })))) return;
    steps.push({ id: job.asleep, memo: 'null' });
  }
  for (let attempt = job.attempt; ; attempt = 0) {
    const answer = job.crashes > MAX_CRASHES ? crashed(job) : await callFunction(deps, fn, job, { steps, attempt });
    const now = clock.now();

    if (answer.kind === 'completed') {
      await end(deps, job, { output: answer.output });
      return;
    }
    const failed = failureOf(answer);
    if (failed) {
      if (!failed.final && attempt + 1 < fn.max_attempts) return retry(deps, job, attempt, failed, answer.retry_at);
      // When a step has no attempts left, the function receives its error. The function may
      // continue in spite of it.
      if (!failed.step) return fail(deps, job, failed.error);
    }

    const [op, ...more] = answer.kind === 'ops' ? answer.ops : [];
    if (op && more.length === 0 && isResult(op)) {
      const memo = isDone(op) ? { data: op.data ?? null } : { error: toSerializedError(op.error) };
      const step = { id: op.id, name: nameOf(op), op: 'StepRun', memo };
      if (!(await commit(() => record({ job, step })))) return;
      steps.push({ id: op.id, memo: JSON.stringify(memo) });
      job.crashes = 0;
      if (deps.stopping()) return releaseJobLease(db, job);
      continue;
    }
    if (op?.op === 'Sleep' && more.length === 0) {
      const run_at = parseDateOrDuration(op.name ?? '', now);
      if (await commit(() => postponeSleepingJob(db, job, { id: op.id, name: nameOf(op) }, run_at, now))) due(run_at);
      return;
    }
    return fail(deps, job, unsupported(answer));
  }
}

interface Failure {
  error: SerializedError;
  final: boolean;
  /** True for the error of a step, false for an error of the function itself. */
  step: boolean;
}

function failureOf(answer: Exclude<SdkResponse, { kind: 'completed' }>): Failure | null {
  if (answer.kind === 'error') return { error: answer.error, final: answer.final, step: false };
  const [op] = answer.ops;
  return op?.op === 'StepError' ? { error: toSerializedError(op.error), final: false, step: true } : null;
}

function unsupported(answer: SdkResponse): SerializedError {
  const ops = answer.kind === 'ops' ? answer.ops : [];
  if (ops.length === 0) return toSerializedError('The function answered 206 without an operation');
  // The message names a single operation. Several operations are parallel steps, which the engine
  // does not support.
  const what = ops.length > 1 ? 'steps side by side are' : `the operation ${ops[0]!.op} is`;
  return toSerializedError(`${ops.map(nameOf).join(', ')}: ${what} not supported`);
}

const end = (deps: JobExecutorDependencies, job: ClaimedJob, how: EngineRunResult) =>
  commit(() => deps.finish({ job, end: how }));

async function fail(deps: JobExecutorDependencies, job: ClaimedJob, error: SerializedError): Promise<void> {
  if (await end(deps, job, { error }))
    deps.logger.error({ run_id: job.run_id, function_id: job.function_id, error }, 'engine: a run failed');
}

async function retry(
  deps: JobExecutorDependencies,
  job: ClaimedJob,
  attempt: number,
  { error }: Failure,
  retry_at: Date | null,
): Promise<void> {
  const run_at = retry_at ?? new Date(deps.clock.now().getTime() + deps.backoff(attempt + 1));
  if (!(await commit(() => retryJob(deps.db, job, error, run_at)))) return;
  deps.logger.warn(
    { run_id: job.run_id, function_id: job.function_id, attempt, run_at, error },
    'engine: an attempt failed',
  );
  deps.due(run_at);
}

async function callFunction(
  deps: JobExecutorDependencies,
  fn: RegisteredFunction,
  job: ClaimedJob,
  state: { steps: ClaimedJob['steps']; attempt: number },
): Promise<SdkResponse> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const request = buildInngestFunctionCallRequest(deps, {
      function_id: fn.id,
      run_id: job.run_id,
      event: job.event,
      steps: state.steps,
      attempt: state.attempt,
      max_attempts: fn.max_attempts,
    });
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer within ${deps.call_timeout_ms} ms`)), deps.call_timeout_ms);
      timer.unref();
    });
    return await Promise.race([
      deps.handler(request).then((response) => readSdkResponse(response, deps.clock.now())),
      timeout,
    ]);
  } catch (error) {
    return { kind: 'error', error: toSerializedError(error), final: false, retry_at: null };
  } finally {
    clearTimeout(timer);
  }
}

function crashed(job: ClaimedJob): SdkResponse {
  const message = `The process stopped ${job.crashes} times while this was running`;
  return { kind: 'error', error: { name: 'CrashLoop', message }, final: true, retry_at: null };
}

const isDone = (op: StepOperation) => op.op === 'StepRun' || op.op === 'Step';

/** Returns whether an operation reports a completed step. */
const isResult = (op: StepOperation) => isDone(op) || op.op === 'StepFailed' || op.op === 'StepError';

function nameOf(op: StepOperation): string {
  return op.displayName ?? op.name ?? op.id;
}

/**
 * Retries a write after a deadlock or a lost connection, so that the completed work is not
 * repeated.
 */
async function commit(write: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === COMMIT_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 * tries));
    }
  }
}
