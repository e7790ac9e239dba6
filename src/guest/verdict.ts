/** What a verification page says on the whole, from its single checks. Pure. */
import type { VerifyPageModel } from './view-models';

export type CheckState = 'good' | 'bad' | 'wait' | 'none';
export type Verdict = 'ok' | 'pending' | 'bad' | 'redacted' | 'manual';

export interface Checks {
  content: CheckState;
  chain: CheckState;
  seal: CheckState;
  log: CheckState;
}

/** Each check's state. */
export function checksOf(model: Pick<VerifyPageModel, 'kind' | 'content_state' | 'chain' | 'seal' | 'log'>): Checks {
  const content = { intact: 'good', mismatch: 'bad', redacted: 'none' } as const;
  const seal = { sealed: 'good', invalid: 'bad', pending: 'wait', removed: 'none', none: 'none' } as const;
  const log = { included: 'good', missing: 'bad', none: 'none' } as const;
  return {
    content: model.kind === 'manual' && model.content_state !== 'mismatch' ? 'none' : content[model.content_state],
    chain: model.chain.state === 'intact' ? 'good' : 'bad',
    seal: seal[model.seal.state],
    log: log[model.log.state],
  };
}

/** One failed check outweighs everything, whatever else is true of the certificate. */
export function verdictOf(
  model: Pick<VerifyPageModel, 'kind' | 'content_state' | 'chain' | 'seal' | 'log' | 'redacted_at'>,
): Verdict {
  const checks = checksOf(model);
  const states = Object.values(checks);
  if (states.includes('bad')) return 'bad';
  if (model.kind === 'manual') return 'manual';
  if (model.redacted_at !== null || model.content_state === 'redacted') return 'redacted';
  return checks.content === 'good' && checks.seal === 'good' ? 'ok' : 'pending';
}
