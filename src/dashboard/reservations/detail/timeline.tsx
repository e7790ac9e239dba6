'use client';
import {
  AtSign,
  BadgeCheck,
  BellRing,
  CalendarClock,
  Circle,
  DoorOpen,
  Eraser,
  Eye,
  EyeOff,
  FilePlus2,
  KeyRound,
  Link2,
  Lock,
  type LucideIcon,
  MailCheck,
  MailOpen,
  MailX,
  MessageCircleQuestion,
  MessageCircleX,
  Pencil,
  PenLine,
  Scale,
  Send,
  Unlock,
  XCircle,
} from 'lucide-react';
import { readError } from '../../read-error';
import { cn } from '../../ui/cn';
import { CopyableId } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { ErrorPanel } from '../../ui/error-panel';
import { Skeleton } from '../../ui/skeleton';
import { type TimelineEntry, useTimeline } from '../queries';

const EVENTS: Record<string, { text: string; icon: LucideIcon; good?: true }> = {
  'reservation.created': { text: 'Created', icon: FilePlus2 },
  'reservation.updated': { text: 'Changed', icon: Pencil },
  'reservation.sent': { text: 'Packet sent to the guest', icon: Send },
  'reservation.opened': { text: 'The guest opened the mail', icon: MailOpen },
  'reservation.clicked': { text: 'The guest saw the packet', icon: Eye },
  'consent.given': { text: 'The guest agreed to sign electronically', icon: PenLine },
  'reservation.signed': { text: 'Signed', icon: PenLine, good: true },
  'reservation.reminder_sent': { text: 'Reminder sent to the guest', icon: BellRing },
  'reservation.late_alert_sent': { text: 'You were told that the guest has not signed', icon: BellRing },
  'guest.address_confirmed': { text: 'The guest confirmed an e-mail address', icon: AtSign },
  'guest.code_confirmed': { text: 'The guest confirmed the e-mail address with a code', icon: AtSign },
  'guest.question': { text: 'The guest asked a question', icon: MessageCircleQuestion },
  'guest.declined': { text: 'The guest did not agree', icon: MessageCircleX },
  'guest.reply_settled': { text: 'Marked as dealt with', icon: MessageCircleQuestion },
  'certificate.copy_sent': { text: 'The guest’s copy was mailed', icon: Send },
  'mail.delivered': { text: 'The mail reached the guest’s mailbox', icon: MailCheck, good: true },
  'mail.bounced': { text: 'The mail came back', icon: MailX },
  'mail.complained': { text: 'The guest marked the mail as spam', icon: MailX },
  'mail.suppressed': { text: 'The mail was not sent: the address bounced or complained before', icon: MailX },
  'mail.failed': { text: 'The mail could not be sent', icon: MailX },
  'reservation.expired': { text: 'Expired without a signature', icon: CalendarClock },
  'reservation.cancelled': { text: 'Cancelled', icon: XCircle },
  'reservation.replaced': { text: 'Another with other dates took its place', icon: CalendarClock },
  'reservation.restored': { text: 'Restored', icon: FilePlus2 },
  'reservation.ignored': { text: 'Set aside by a host', icon: EyeOff },
  'share_link.created': { text: 'A link to share was made', icon: Link2 },
  'arrival_details.groups_released': { text: 'More arrival details released early', icon: KeyRound },
  'reservation.arrival_details_held': { text: 'Arrival details withheld until the signature', icon: Lock },
  'reservation.arrival_details_released': { text: 'Arrival details released', icon: Unlock, good: true },
  'reservation.arrival_details_viewed': { text: 'The guest looked at the arrival details', icon: DoorOpen, good: true },
  'reservation.arrival_details_override_released': { text: 'Arrival details released early', icon: KeyRound },
  'certificate.created': { text: 'Certificate sealed', icon: BadgeCheck, good: true },
  'certificate.redacted': { text: 'The guest’s data was redacted', icon: Eraser },
  'legal_hold.set': { text: 'Legal hold set', icon: Scale },
  'legal_hold.lifted': { text: 'Legal hold lifted', icon: Scale },
  'copy.opened': { text: 'The guest’s copy was opened', icon: Eye },
  'copy.revoked': { text: 'The guest’s copy was revoked', icon: XCircle },
  'copy.restored': { text: 'The guest’s copy works again', icon: Unlock },
};

/** `reservation.some_thing` -> `Some thing`, for types this page has no words for. */
function wordsOf(type: string): string {
  const words = (type.split('.').pop() ?? type).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What an entry of the trail says to a host. */
export const textOfEvent = (type: string): string => EVENTS[type]?.text ?? wordsOf(type);

const FIELDS: Record<string, string> = {
  guest_name: 'name',
  guest_email: 'e-mail',
  locale: 'language',
  checkin_date: 'check-in',
  checkout_date: 'check-out',
  packet_id: 'packet',
};

/** `Changed: name, check-in`; null for what is no change, or one that says nothing of what it touched. */
function changeOf({ type, fields }: TimelineEntry): string | null {
  const names = Object.entries(FIELDS).flatMap(([field, name]) => (fields.includes(field) ? name : []));
  return type === 'reservation.updated' && names.length > 0 ? `Changed: ${names.join(', ')}` : null;
}

/** The ordered audit trail, the oldest first, on the property's clock. */
export function Timeline({ id, zone }: { id: string; zone: string | null }) {
  const events = useTimeline(id);
  if (events.error && !events.data) {
    const { message, request_id } = readError(events.error);
    return (
      <ErrorPanel
        title="The timeline could not be loaded"
        message={message}
        requestId={request_id}
        onRetry={() => void events.refetch()}
      />
    );
  }
  if (!events.data) {
    return (
      <div className="grid gap-5 px-5 py-5">
        {['w-2/5', 'w-3/5', 'w-1/2'].map((width) => (
          <div key={width} className="grid gap-2">
            <Skeleton className={cn('h-4', width)} />
            <Skeleton className="h-3 w-36" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <ol aria-label="Timeline" className="px-5 py-5">
      {events.data.data.map((event, index, all) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end.
        <Entry key={index} event={event} zone={zone} last={index === all.length - 1} />
      ))}
    </ol>
  );
}

function Entry({ event, zone, last }: { event: TimelineEntry; zone: string | null; last: boolean }) {
  const known = EVENTS[event.type];
  const Icon = known?.icon ?? Circle;
  return (
    <li className="relative flex gap-3.5 pb-6 last:pb-0">
      {last ? null : <span aria-hidden className="absolute top-8 bottom-0 left-[0.9375rem] w-px bg-line" />}
      <span
        aria-hidden
        className={cn(
          'grid size-8 shrink-0 place-items-center rounded-full',
          known?.good ? 'bg-success-tint text-success' : 'bg-muted text-ink-soft',
        )}
      >
        <Icon className="size-4" />
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5 pt-1">
        <p className="font-medium text-sm">{changeOf(event) ?? textOfEvent(event.type)}</p>
        <p className="text-ink-soft text-xs">
          <DateTime value={event.created_at} zone={zone} seconds />
          {event.doer ? `, by ${event.doer}` : null}
        </p>
        {event.note ? <p className="mt-1 break-words text-ink-soft text-sm">“{event.note}”</p> : null}
        {event.signed_ip ? <p className="text-ink-soft text-xs">From {event.signed_ip}</p> : null}
        {event.content_hash ? (
          <p className="flex min-w-0 max-w-full items-center gap-1 text-ink-soft text-xs">
            <span className="shrink-0">Content hash</span>
            <CopyableId value={event.content_hash} label="content hash" />
          </p>
        ) : null}
      </div>
    </li>
  );
}
