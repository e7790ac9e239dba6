/** How far a stay is, as the picture shows it: by colour, by line and by a sign, so that nobody needs the colour. */
import { Ban, Check, CircleDashed, Clock, type LucideIcon, Mail, MessageCircle, TriangleAlert } from 'lucide-react';
import { isUnsent } from '../reservations/status-words';
import type { CalendarStay } from './queries';

interface Look {
  label: string;
  icon: LucideIcon;
  className: string;
}

export const LOOKS = {
  signed: { label: 'Signed', icon: Check, className: 'border-success/50 bg-success-tint text-success' },
  waiting: { label: 'With the guest', icon: Mail, className: 'border-info/50 bg-info-tint text-info' },
  unsent: { label: 'Not sent', icon: CircleDashed, className: 'border-ink-soft border-dashed bg-surface text-ink' },
  expired: {
    label: 'Never signed',
    icon: Clock,
    className: 'border-warning/50 border-dotted bg-warning-tint text-warning',
  },
} satisfies Record<string, Look>;
export type LookName = keyof typeof LOOKS;

export const CONFLICT: Look = {
  label: 'Same nights as another',
  icon: TriangleAlert,
  className: 'border-danger bg-danger-tint text-danger outline-2 outline-danger -outline-offset-2',
};
export const REPLIED = { label: 'The guest wrote', icon: MessageCircle };

/** The nights are hatched: no guest is in them. */
export const BLOCKED: Look = {
  label: 'Blocked by a calendar',
  icon: Ban,
  className:
    'border-line-strong bg-[repeating-linear-gradient(135deg,var(--muted)_0_6px,var(--line)_6px_8px)] text-ink-soft',
};

export function lookOf(stay: Pick<CalendarStay, 'status'>): LookName {
  if (stay.status === 'signed' || stay.status === 'expired') return stay.status;
  return isUnsent(stay) ? 'unsent' : 'waiting';
}

/** All that there is to know of a bar, for who does not see it. */
export function stayWords(stay: CalendarStay): string {
  return [
    stay.guest_name,
    nightsWords(stay),
    LOOKS[lookOf(stay)].label,
    ...(stay.conflict ? [CONFLICT.label] : []),
    ...(stay.guest_replied ? [REPLIED.label] : []),
  ].join(', ');
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `24 Dec – 3 Jan` */
export const nightsWords = ({ checkin_date, checkout_date }: { checkin_date: string; checkout_date: string }): string =>
  days.formatRange(new Date(checkin_date), new Date(checkout_date));

export function Legend() {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-ink-soft text-xs">
      {[...Object.values(LOOKS), CONFLICT, BLOCKED].map(({ label, icon: Icon, className }) => (
        <li key={label} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={`grid h-4 w-6 place-items-center rounded-sm border ${className}`}>
            <Icon className="size-3" />
          </span>
          {label}
        </li>
      ))}
    </ul>
  );
}
