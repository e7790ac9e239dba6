/** Labels and badge colours for the API's values. */
import type { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import type { BadgeTone } from '../ui/badge';

type Status = (typeof RESERVATION_STATUSES)[number];
type Source = (typeof RESERVATION_SOURCES)[number];

/**
 * Badge colours by status. The texts are the messages `status_…` and `hint_…` for a status, and
 * `source_…` for a source.
 */
export const STATUS_BADGE_TONES: Record<Status, BadgeTone> = {
  draft: 'neutral',
  synced: 'neutral',
  sent: 'info',
  opened: 'info',
  clicked: 'violet',
  signed: 'success',
  expired: 'warning',
  ignored: 'neutral',
};

/** An object instead of a list, so that type checking fails when a source is missing. */
const SOURCE: Record<Source, true> = { channel_a: true, channel_b: true, channel_c: true, direct: true };

/** The statuses in order. Importing them from the schemas would load zod with the page. */
export const ORDERED_RESERVATION_STATUSES = Object.keys(STATUS_BADGE_TONES) as readonly Status[];
export const RESERVATION_SOURCE_FILTER_VALUES = Object.keys(SOURCE) as readonly Source[];

export const ARRIVAL_DETAILS_BADGE_TONES: Record<string, BadgeTone> = {
  held: 'warning',
  ready_to_hold: 'info',
  released: 'success',
  viewed: 'success',
  override_released: 'violet',
};
