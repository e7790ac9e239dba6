/** How the words of the API read in the interface. */
import type { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import type { Tone } from '../ui/badge';

type Status = (typeof RESERVATION_STATUSES)[number];
type Source = (typeof RESERVATION_SOURCES)[number];

export const STATUS: Record<Status, { label: string; tone: Tone; hint: string }> = {
  draft: { label: 'Draft', tone: 'neutral', hint: 'Not sent yet.' },
  synced: { label: 'From calendar', tone: 'neutral', hint: 'A calendar brought it. Not sent yet.' },
  sent: { label: 'Sent', tone: 'info', hint: 'Sent. The guest has not opened it yet.' },
  opened: { label: 'Mail opened', tone: 'info', hint: 'The guest opened the mail.' },
  clicked: { label: 'Page seen', tone: 'violet', hint: 'The guest saw the packet and has not signed.' },
  signed: { label: 'Signed', tone: 'success', hint: 'The guest signed.' },
  expired: { label: 'Expired', tone: 'warning', hint: 'The stay ended without a signature.' },
  ignored: { label: 'Cancelled', tone: 'neutral', hint: 'Cancelled or ignored; the link is dead.' },
};

export const SOURCE: Record<Source, string> = {
  channel_a: 'Channel A',
  channel_b: 'Channel B',
  channel_c: 'Channel C',
  direct: 'Direct',
};

/** In their order. From here and not from the schemas, which bring all of zod into a page. */
export const STATUSES = Object.keys(STATUS) as readonly Status[];
export const SOURCES = Object.keys(SOURCE) as readonly Source[];

export const ARRIVAL_TONE: Record<string, Tone> = {
  held: 'warning',
  ready_to_hold: 'info',
  released: 'success',
  viewed: 'success',
  override_released: 'violet',
};
