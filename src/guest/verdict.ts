/** Combines the checks of a verification page into a verdict. Pure. */
import type { VerifyPageModel } from './view-models';

export type CertificateCheckState = 'good' | 'bad' | 'wait' | 'none';
export type CertificateVerificationVerdict = 'ok' | 'pending' | 'bad' | 'redacted';

export interface CertificateCheckStates {
  content: CertificateCheckState;
  chain: CertificateCheckState;
  seal: CertificateCheckState;
  log: CertificateCheckState;
}

/** Returns the state of each check. */
export function getCertificateCheckStates(
  model: Pick<VerifyPageModel, 'content_state' | 'chain' | 'seal' | 'log'>,
): CertificateCheckStates {
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
export function getCertificateVerificationVerdict(
  model: Pick<VerifyPageModel, 'content_state' | 'chain' | 'seal' | 'log' | 'redacted_at'>,
): CertificateVerificationVerdict {
  const checks = getCertificateCheckStates(model);
  const states = Object.values(checks);
  if (states.includes('bad')) return 'bad';
  if (model.redacted_at !== null || model.content_state === 'redacted') return 'redacted';
  return checks.content === 'good' && checks.seal === 'good' ? 'ok' : 'pending';
}
