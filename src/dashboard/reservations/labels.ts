/** How the words of the API read in the interface. */
import type { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import type { Tone } from '../ui/badge';

type Status = (typeof RESERVATION_STATUSES)[number];
type Source = (typeof RESERVATION_SOURCES)[number];

/**
 * The words of a status are `status_…` and `hint_…` of the messages, those of a source `source_…`.
 */
export const STATUS_TONE: Record<Status, Tone> = {
  draft: 'neutral',
  synced: 'neutral',
  sent: 'info',
  opened: 'info',
  clicked: 'violet',
  signed: 'success',
  expired: 'warning',
  ignored: 'neutral',
};

/** The sources, each once: the compiler asks for every one. */
const SOURCE: Record<Source, true> = { channel_a: true, channel_b: true, channel_c: true, direct: true };

/** In their order. From here and not from the schemas, which bring all of zod into a page. */
export const STATUSES = Object.keys(STATUS_TONE) as readonly Status[];
export const SOURCES = Object.keys(SOURCE) as readonly Source[];

export const ARRIVAL_TONE: Record<string, Tone> = {
  held: 'warning',
  ready_to_hold: 'info',
  released: 'success',
  viewed: 'success',
  override_released: 'violet',
};
