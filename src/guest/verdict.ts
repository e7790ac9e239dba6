/** Combines the checks of a verification page into a verdict. Pure. */
import type { VerifyPageModel } from './view-models';

export type VerificationCheckState = 'good' | 'bad' | 'wait' | 'none';
export type VerificationVerdict = 'ok' | 'pending' | 'bad' | 'redacted';

export interface VerificationChecks {
  content: VerificationCheckState;
  chain: VerificationCheckState;
  seal: VerificationCheckState;
  log: VerificationCheckState;
}

/** Returns the state of each check. */
export function getVerificationCheckStates(
  model: Pick<VerifyPageModel, 'content_state' | 'chain' | 'seal' | 'log'>,
): VerificationChecks {
  const content = { intact: 'good', mismatch: 'bad', redacted: 'none' } as const;
  const seal = { sealed: 'good', invalid: 'bad', pending: 'wait', removed: 'none', none: 'none' } as const;
  const log = { included: 'good', missing: 'bad', none: 'none' } as const;
  return {
    content: content[model.content_state],
    chain: model.chain.state === 'intact' ? 'good' : 'bad',
    seal: seal[model.seal.state],
    log: log[model.log.state],
  };
}

/** Returns the verdict. A single failed check outweighs all others. */
export function getVerificationVerdict(
  model: Pick<VerifyPageModel, 'content_state' | 'chain' | 'seal' | 'log' | 'redacted_at'>,
): VerificationVerdict {
  const checks = getVerificationCheckStates(model);
  const states = Object.values(checks);
  if (states.includes('bad')) return 'bad';
  if (model.redacted_at !== null || model.content_state === 'redacted') return 'redacted';
  return checks.content === 'good' && checks.seal === 'good' ? 'ok' : 'pending';
}
