/** Why an action on a packet is not allowed, as text for a tooltip. Pure. */
import type { PacketAction } from '@/modules/packets/rules/lifecycle';
import type { NamespaceTranslator } from '../../i18n/words-of';
import type { Variant } from '../../types';

const REASONS = ['default_packet', 'last_packet', 'packet_in_use', 'packet_archived', 'packet_limit_reached'] as const;

/** The reason, or null when the action is allowed. */
export function getRefusalReason(
  { actions }: Pick<Variant, 'actions'>,
  action: PacketAction,
  t: NamespaceTranslator<'packets'>,
): string | null {
  const answer = actions[action];
  if (answer.allowed) return null;
  const reason = REASONS.find((code) => code === answer.code);
  return reason ? t(`refused_${reason}`) : t(`cannot_${action}`);
}

/** Why no further variant can be created. Null when one can. */
export function getLimitReason(active: number, limit: number, t: NamespaceTranslator<'packets'>): string | null {
  return active < limit ? null : t('plan_allows', { limit });
}
