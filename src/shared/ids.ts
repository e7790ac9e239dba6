/**
 * Prefixed, time-sortable ids: `res_` + ULID in lower case. The same milliseconds give increasing ids within one
 * process, so that "newest first, then id" is the order of creation.
 */
import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { clock } from './clock';

export const ID_PREFIXES = {
  team: 'team_',
  user: 'user_',
  session: 'sess_',
  member: 'mem_',
  invitation: 'inv_',
  api_key: 'key_',
  property: 'prop_',
  packet: 'pkt_',
  packet_revision: 'pkr_',
  reservation: 'res_',
  trail_entry: 'tre_',
  signature: 'sig_',
  snapshot: 'snap_',
  sync_source: 'ss_',
  sync_run: 'run_',
  inbound_mail: 'inb_',
  sms_message: 'sms_',
  webhook_endpoint: 'whe_',
  webhook_delivery: 'whd_',
  event: 'evt_',
  request: 'req_',
  mail: 'mail_',
  audit: 'aud_',
  rule: 'rule_',
  fee: 'fee_',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Random bytes are drawn in blocks: one at a time, as ulid does by itself, they were 3 % of a read. */
const block = new Uint8Array(4_096);
let drawn = block.length;
function random(): number {
  if (drawn === block.length) {
    randomFillSync(block);
    drawn = 0;
  }
  return (block[drawn++] as number) / 256;
}

let next = monotonicFactory(random);

/** Forgets the last id; for tests, whose clocks jump back from one file to the next. */
export function restartIds(): void {
  next = monotonicFactory(random);
}

/** A new id of the kind, for example `prop_01jd…`. */
export function newId(kind: IdKind): string {
  return ID_PREFIXES[kind] + next(clock().now().getTime()).toLowerCase();
}

/** The pattern every id of a kind matches (specification, "Resources and their fields"). */
export function idPattern(kind: IdKind): RegExp {
  return new RegExp(`^${ID_PREFIXES[kind]}[A-Za-z0-9_-]{8,}$`);
}
