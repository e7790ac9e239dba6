/** What an operation says of itself beyond its schemas; the bridge, the documentation and the matrix tests read it. */

import type { RequiredScope } from '@/modules/api-keys/scopes';
import type { ErrorCode } from '@/shared/errors';

export interface OperationMeta {
  /** The scope a restricted key needs. */
  readonly scope: RequiredScope;
  /** Whether a team that is not on the Pro plan gets 402 (specification, the endpoints that list it). */
  readonly pro_only: boolean;
  /** 200, 201, 202, 204 or 302. */
  readonly success_status: number;
  readonly stability: 'stable' | 'beta';
  /** Codes beyond those every operation can answer. */
  readonly errors: readonly ErrorCode[];
  /** The body holds a secret that is shown once: its stored idempotent answer is encrypted. */
  readonly secret_response: boolean;
  /**
   * It commits by itself, several times and with I/O in between, so that its stored idempotent answer is in none of its
   * transactions: a request repeated because the answer was lost must find nothing left to do.
   */
  readonly own_transactions: boolean;
  /** GET of a single resource, or a write that answers it: carries an ETag. */
  readonly etag: boolean;
  /**
   * What a write may do; null for a read. `adds`: something new, which can be removed again. `changes`: data of the team is
   * overwritten. `irreversible`: a guest may be mailed, something is cancelled or deleted, or data is sent elsewhere.
   */
  readonly effect: 'adds' | 'changes' | 'irreversible' | null;
}
