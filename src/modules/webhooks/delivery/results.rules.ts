/**
 * Computes the changes that a batch of finished attempts causes. Pure, so that the computation can
 * be repeated after locking the rows.
 */

import { createRefusal, serializeRefusal } from '@/shared/refusals/refusal';
import { computeEndpointHealthAfterAttempt } from '../endpoint-health.rules';
import type { WebhookDeliveryAttemptOutcome } from './attempt';
import type {
  ClaimedDelivery,
  EndpointColumnsChangedByAttempts,
  NextDeliveryAttempt,
  StoredDeliveryAttemptResult,
} from './queue.repository';
import {
  type DeliveryAttemptConsequence,
  decideDeliveryAttemptConsequence,
  ENDPOINT_DISABLING_FAILURE_COUNT,
  WEBHOOK_RETRY_DELAYS_MS,
} from './retry.rules';

export interface FinishedDeliveryAttempt {
  delivery: ClaimedDelivery;
  outcome: WebhookDeliveryAttemptOutcome;
  /**
   * A number in [0, 1) that determines the retry's jitter. It is chosen once, so that a repeated
   * computation has the same result.
   */
  random: number;
}

export interface EndpointFailureMail {
  kind: 'endpoint_warning' | 'endpoint_disabled';
  endpoint: EndpointColumnsChangedByAttempts;
  event_type: string;
  failures: number;
  disabled_after: number;
  retry_at: Date | null;
  outcome: WebhookDeliveryAttemptOutcome;
}

export interface EffectsOfFinishedDeliveryAttempts {
  results: StoredDeliveryAttemptResult[];
  next: Omit<NextDeliveryAttempt, 'id' | 'created_at'>[];
  endpoints: EndpointColumnsChangedByAttempts[];
  mails: EndpointFailureMail[];
}

/**
 * Computes the changes that the finished attempts cause: results, next attempts, endpoint states
 * and mails. Processes the attempts in the order in which they ended. Ignores attempts at deleted
 * endpoints.
 */
export function computeEffectsOfFinishedDeliveryAttempts(
  finished: readonly FinishedDeliveryAttempt[],
  endpoints: ReadonlyMap<string, EndpointColumnsChangedByAttempts>,
  delays_ms: readonly number[] = WEBHOOK_RETRY_DELAYS_MS,
): EffectsOfFinishedDeliveryAttempts {
  const states = new Map(endpoints);
  const plan: EffectsOfFinishedDeliveryAttempts = { results: [], next: [], endpoints: [], mails: [] };
  for (const one of [...finished].sort((a, b) => a.outcome.at.getTime() - b.outcome.at.getTime())) {
    const { delivery, outcome } = one;
    const before = states.get(delivery.endpoint_id);
    if (!before) continue;
    const { failures_before, delivery_began_at } = delivery;
    const { accepted, at } = outcome;
    const after = decideDeliveryAttemptConsequence(
      { accepted, failures_before, delivery_began_at, endpoint: before },
      at,
      one.random,
      delays_ms,
    );
    plan.results.push(resultOf(one, after));
    const next = nextOf(delivery, after);
    if (next) plan.next.push(next);
    const { state, mail } = endpointAfter(before, one, after, delays_ms);
    states.set(before.id, state);
    if (mail) plan.mails.push(mail);
  }
  plan.endpoints = [...states.values()];
  return plan;
}

const iso = (date: Date | null) => date?.toISOString() ?? null;

function resultOf(
  { delivery, outcome }: FinishedDeliveryAttempt,
  after: DeliveryAttemptConsequence,
): StoredDeliveryAttemptResult {
  return {
    id: delivery.id,
    lease_token: delivery.lease_token,
    status: outcome.accepted ? 'succeeded' : 'failed',
    status_code: outcome.status_code,
    error_kind: outcome.error_kind,
    error_message: outcome.error_message,
    response_body_truncated: outcome.response_body_truncated,
    duration_ms: outcome.duration_ms,
    attempted_at: new Date(outcome.at.getTime() - outcome.duration_ms).toISOString(),
    next_retry_at: after.kind === 'succeeded' ? null : iso(after.retry_at),
    delivered_at: outcome.accepted ? outcome.at.toISOString() : null,
  };
}

function nextOf(
  delivery: ClaimedDelivery,
  after: DeliveryAttemptConsequence,
): Omit<NextDeliveryAttempt, 'id' | 'created_at'> | null {
  if (after.kind === 'succeeded' || after.retry_at === null) return null;
  const { team_id, mode, event_id, endpoint_id, event_type } = delivery;
  return {
    ...{ team_id, mode, event_id, endpoint_id, event_type },
    attempt_number: delivery.attempt_number + 1,
    failures_before: after.failures,
    delivery_began_at: delivery.delivery_began_at.toISOString(),
    due_at: after.retry_at.toISOString(),
  };
}

function endpointAfter(
  before: EndpointColumnsChangedByAttempts,
  { delivery, outcome }: FinishedDeliveryAttempt,
  after: DeliveryAttemptConsequence,
  delays_ms: readonly number[],
): { state: EndpointColumnsChangedByAttempts; mail: EndpointFailureMail | null } {
  const state: EndpointColumnsChangedByAttempts = {
    ...before,
    ...computeEndpointHealthAfterAttempt(
      before,
      { accepted: outcome.accepted, answered: outcome.status_code !== null, at: outcome.at },
      delays_ms,
    ),
  };
  if (after.kind === 'succeeded' || (!after.disable_endpoint && !after.warn_owner)) return { state, mail: null };
  const kind = after.disable_endpoint ? 'endpoint_disabled' : 'endpoint_warning';
  if (kind === 'endpoint_disabled') {
    state.status = 'auto_disabled';
    state.disabled_at = outcome.at;
    state.disabled_reason = serializeRefusal(
      createRefusal('delivery.endpoint_disabled', { count: after.failures, event: delivery.event_id }),
    );
  } else {
    state.warned_at = outcome.at;
  }
  return {
    state,
    mail: {
      kind,
      endpoint: state,
      event_type: delivery.event_type,
      failures: after.failures,
      disabled_after: Math.min(ENDPOINT_DISABLING_FAILURE_COUNT, delays_ms.length),
      retry_at: after.retry_at,
      outcome,
    },
  };
}
