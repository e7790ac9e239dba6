/** Explains in a tooltip why an action on a packet is not allowed. Pure. */
import type { PacketAction } from '@/modules/packets/rules/lifecycle';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import type { PacketDetail } from '../../types';

const REASONS = ['default_packet', 'last_packet', 'packet_in_use', 'packet_archived', 'packet_limit_reached'] as const;

/** Returns the reason why the action is not allowed. Returns null when it is allowed. */
export function getVariantActionRefusalReason(
  { actions }: Pick<PacketDetail, 'actions'>,
  action: PacketAction,
  t: NamespaceTranslator<'packets'>,
): string | null {
  const answer = actions[action];
  if (answer.allowed) return null;
  const reason = REASONS.find((code) => code === answer.code);
  return reason ? t(`refused_${reason}`) : t(`cannot_${action}`);
}

/** Returns the reason why no further variant can be created. Returns null below the limit. */
export function getVariantCreationBlockedReason(
  active: number,
  limit: number,
  t: NamespaceTranslator<'packets'>,
): string | null {
  return active < limit ? null : t('plan_allows', { limit });
}
