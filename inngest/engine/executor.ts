/** Does one claimed job: calls the function, and turns its answer into rows, until the job ends or must wait. */

import type { RegisteredFunction } from './config';
import { parseExpression, waitPattern } from './expression';
import { newUlid } from './ids';
import { type Answer, callRequest, jsonError, type Op, readAnswer } from './protocol';
import type { ClaimedJob } from './store/claim';
import {
  finishRun,
  type PlannedStep,
  pendingOp,
  planSteps,
  recordStep,
  releaseJob,
  retryJob,
  settleJob,
} from './store/progress';
import { momentOf } from './timing';
import type { EngineEvent, EngineLogger, EngineOptions, JsonError, SqlDb } from './types';

/** After so many processes died in the middle of a job, the job is taken to be the reason. */
const MAX_CRASHES = 20;
const COMMIT_TRIES = 3;

export interface ExecutorDeps {
  db: SqlDb;
  handler: EngineOptions['handler'];
  serve_url: string;
  signing_key: string;
  clock: { now(): Date };
  logger: EngineLogger;
  call_timeout_ms: number;
  backoff: (failed_attempts: number) => number;
  functions: ReadonlyMap<string, RegisteredFunction>;
  /** Something is to be done at this time. */
  due: (run_at: Date) => void;
  stopping: () => boolean;
}

/** Works on a job until it has ended, has been put off, or belongs to someone else. Never throws. */
export async function executeJob(deps: ExecutorDeps, job: ClaimedJob): Promise<void> {
  try {
    const fn = deps.functions.get(job.function_id)!;
    if (job.kind === 'wake') await wake(deps, job);
    else await drive(deps, job, fn);
  } catch (error) {
    // The lease runs out and the job is done again: by then the database may be back.
    deps.logger.error(
      { err: error, run_id: job.run_id, function_id: job.function_id },
      'engine: a job was interrupted',
    );
  }
}

async function wake(deps: ExecutorDeps, job: ClaimedJob): Promise<void> {
  const op = await pendingOp(deps.db, job.run_id, job.step_id!);
  const timed_out: JsonError = { name: 'Error', message: 'Timed out waiting for the invoked function' };
  const memo = op === 'InvokeFunction' ? { error: timed_out } : null;
  if (await commit(() => settleJob(deps.db, job, memo, deps.clock.now()))) deps.due(deps.clock.now());
}

async function drive(deps: ExecutorDeps, job: ClaimedJob, fn: RegisteredFunction): Promise<void> {
  const steps = [...job.steps];
  for (let attempt = job.attempt; ; attempt = 0) {
    const answer = job.crashes > MAX_CRASHES ? crashed(job) : await callFunction(deps, fn, job, { steps, attempt });
    const now = deps.clock.now();
    const fail = (error: JsonError) => commit(() => finishRun(deps.db, deps.functions, job, { error }, now));

    if (answer.kind === 'completed') {
      const ended = await commit(() => finishRun(deps.db, deps.functions, job, { output: answer.output }, now));
      if (ended && job.has_parent) deps.due(now);
      return;
    }
    if (answer.kind === 'error') {
      if (!answer.final && attempt + 1 < fn.max_attempts)
        return retry(deps, job, attempt, answer.error, answer.retry_at);
      if (await fail(answer.error)) {
        deps.logger.error({ run_id: job.run_id, function_id: fn.id, error: answer.error }, 'engine: a run failed');
        deps.due(now);
      }
      return;
    }

    const [op] = answer.ops;
    if (op?.op === 'StepError' && attempt + 1 < fn.max_attempts) {
      return retry(deps, job, attempt, jsonError(op.error), answer.retry_at);
    }
    if (op && isResult(op)) {
      const memo = op.op === 'StepRun' || op.op === 'Step' ? { data: op.data ?? null } : { error: jsonError(op.error) };
      if (job.kind === 'step') {
        if (await commit(() => settleJob(deps.db, job, memo, now))) deps.due(now);
        return;
      }
      const step = { id: op.id, name: nameOf(op), op: 'StepRun', memo };
      if (!(await commit(() => recordStep(deps.db, job, step, now)))) return;
      steps.push({ id: op.id, memo: JSON.stringify(memo) });
      job.crashes = 0;
      if (deps.stopping()) return releaseJob(deps.db, job);
      continue;
    }

    let planned: PlannedStep[];
    try {
      planned = answer.ops.map((found) => plan(deps, job, found, now));
      if (planned.length === 0) throw new Error('The function answered 206 without an operation');
    } catch (error) {
      if (await fail(jsonError(error))) deps.due(now);
      return;
    }
    if (!(await commit(() => planSteps(deps.db, job, fn, planned, now)))) return;
    for (const { job: next, child } of planned) {
      if (next) deps.due(next.run_at);
      if (child) deps.due(now);
    }
    return;
  }
}

async function retry(
  deps: ExecutorDeps,
  job: ClaimedJob,
  attempt: number,
  error: JsonError,
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
  deps: ExecutorDeps,
  fn: RegisteredFunction,
  job: ClaimedJob,
  state: { steps: ClaimedJob['steps']; attempt: number },
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const request = callRequest(deps, {
      function_id: fn.id,
      run_id: job.run_id,
      event: job.event,
      steps: state.steps,
      step_id: job.kind === 'step' ? job.step_id : null,
      attempt: state.attempt,
      max_attempts: fn.max_attempts,
    });
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer within ${deps.call_timeout_ms} ms`)), deps.call_timeout_ms);
      timer.unref();
    });
    return await Promise.race([
      deps.handler(request).then((response) => readAnswer(response, deps.clock.now())),
      timeout,
    ]);
  } catch (error) {
    return { kind: 'error', error: jsonError(error), final: false, retry_at: null };
  } finally {
    clearTimeout(timer);
  }
}

function crashed(job: ClaimedJob): Answer {
  const message = `The process stopped ${job.crashes} times while this was running`;
  return { kind: 'error', error: { name: 'CrashLoop', message }, final: true, retry_at: null };
}

/** Whether an operation reports a step that ran. */
function isResult(op: Op): boolean {
  return op.op === 'StepRun' || op.op === 'Step' || op.op === 'StepFailed' || op.op === 'StepError';
}

function nameOf(op: Op): string {
  return op.displayName ?? op.name ?? op.id;
}

/** What a reported operation means in rows. Throws an Error for operations and options that are not supported. */
function plan(deps: ExecutorDeps, job: ClaimedJob, op: Op, now: Date): PlannedStep {
  const opts = op.opts ?? {};
  if (opts.parallelMode !== undefined) throw new Error(`${nameOf(op)}: group.parallel({ mode }) is not supported`);
  const step: PlannedStep = { id: op.id, name: nameOf(op), op: op.op, job: null, wait: null, child: null };
  switch (op.op) {
    case 'StepPlanned':
      return { ...step, op: 'StepRun', job: { kind: 'step', run_at: now } };
    case 'Sleep':
      return { ...step, job: { kind: 'wake', run_at: momentOf(op.name ?? '', now) } };
    case 'WaitForEvent': {
      const expires = momentOf(String(opts.timeout ?? ''), now);
      const condition = typeof opts.if === 'string' ? parseExpression(opts.if) : [];
      const pattern = waitPattern(condition, job.event);
      return {
        ...step,
        job: { kind: 'wake', run_at: expires },
        // A condition that can never hold is left to the time limit.
        wait: pattern && {
          run_id: job.run_id,
          step_id: op.id,
          event_name: op.name ?? '',
          match_paths: pattern.paths,
          match_values: pattern.values,
          expires_at: expires.toISOString(),
        },
      };
    }
    case 'InvokeFunction': {
      const target = deps.functions.get(String(opts.function_id));
      if (!target) throw new Error(`${nameOf(op)}: no function "${String(opts.function_id)}" is registered`);
      const { timeout } = opts;
      return {
        ...step,
        job: typeof timeout === 'string' ? { kind: 'wake', run_at: momentOf(timeout, now) } : null,
        child: {
          id: newUlid(now),
          fn: target,
          event: invokedEvent(opts.payload, now),
          parent: { run_id: job.run_id, step_id: op.id },
        },
      };
    }
    default:
      throw new Error(`${nameOf(op)}: the operation ${op.op} is not supported`);
  }
}

function invokedEvent(payload: unknown, now: Date): EngineEvent {
  const { data, v } = (payload ?? {}) as { data?: Record<string, unknown>; v?: string };
  return {
    id: newUlid(now),
    name: 'inngest/function.invoked',
    data: data ?? {},
    ts: now.getTime(),
    ...(v === undefined ? {} : { v }),
  };
}

/** Tries a write again: the work behind it is done and must not be repeated for a deadlock or a lost connection. */
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
