/**
 * The prefixes and patterns of ids. Browsers load this file, so it is separate from the generation
 * of ids, which needs Node's crypto.
 */

export const ID_PREFIXES = {
  team: 'team_',
  user: 'user_',
  session: 'sess_',
  member: 'mem_',
  invitation: 'inv_',
  api_key: 'key_',
  property: 'prop_',
  packet: 'pkt_',
  test_clock: 'clock_',
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
  saved_view: 'view_',
  push_subscription: 'psub_',
  push_notice: 'push_',
  guest_erasure: 'gera_',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Returns the pattern of every id of a kind (specification, "Resources and their fields"). */
export function getIdPattern(kind: IdKind): RegExp {
  return new RegExp(`^${ID_PREFIXES[kind]}[A-Za-z0-9_-]{8,}$`);
}
