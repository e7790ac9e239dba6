/**
 * The shared parts of a chaos run (chaos-run.ts): servers, webhook receivers, the mail provider and
 * the team.
 */
import type { MailProvider } from '../../e2e/support/mail-provider';
import type { AcknowledgedWrites } from './acknowledged-writes';
import type { FlappingReceiver } from './flapping-receiver';
import type { ChaosRunState } from './retrying-client';

export interface ChaosContext {
  target: ChaosRunState;
  ledger: AcknowledgedWrites;
  receivers: readonly FlappingReceiver[];
  provider: MailProvider;
  team_id: string;
  api_key: string;
}

/** The address that gets mail about failing endpoints. */
export const OWNER_EMAIL = 'owner@example.com';
