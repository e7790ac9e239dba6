'use client';
import { useQuery } from '@tanstack/react-query';
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
import { useTranslations } from 'use-intl/react';
import { QueryErrorPanel } from '../../query-error';
import { useTRPC } from '../../trpc';
import type { ReservationTimelineEntry } from '../../types';
import { cn } from '../../ui/cn';
import { CopyableId } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { Skeleton } from '../../ui/skeleton';
import { useAuditTrailActorDescriber, useAuditTrailEntryDescriber } from '../trail-words';

const EVENTS: Record<string, { icon: LucideIcon; good?: true }> = {
  'reservation.created': { icon: FilePlus2 },
  'reservation.updated': { icon: Pencil },
  'reservation.sent': { icon: Send },
  'reservation.opened': { icon: MailOpen },
  'reservation.clicked': { icon: Eye },
  'consent.given': { icon: PenLine },
  'acceptance.given': { icon: PenLine },
  'reservation.signed': { icon: PenLine, good: true },
  'reservation.reminder_sent': { icon: BellRing },
  'reservation.late_alert_sent': { icon: BellRing },
  'guest.address_confirmed': { icon: AtSign },
  'guest.code_confirmed': { icon: AtSign },
  'guest.corrected': { icon: Pencil },
  'guest.question': { icon: MessageCircleQuestion },
  'guest.declined': { icon: MessageCircleX },
  'guest.reply_settled': { icon: MessageCircleQuestion },
  'certificate.copy_sent': { icon: Send },
  'mail.delivered': { icon: MailCheck, good: true },
  'mail.bounced': { icon: MailX },
  'mail.complained': { icon: MailX },
  'mail.suppressed': { icon: MailX },
  'mail.failed': { icon: MailX },
  'reservation.expired': { icon: CalendarClock },
  'reservation.cancelled': { icon: XCircle },
  'reservation.replaced': { icon: CalendarClock },
  'reservation.restored': { icon: FilePlus2 },
  'reservation.ignored': { icon: EyeOff },
  'share_link.created': { icon: Link2 },
  'arrival_details.groups_released': { icon: KeyRound },
  'reservation.arrival_details_held': { icon: Lock },
  'reservation.arrival_details_released': { icon: Unlock, good: true },
  'reservation.arrival_details_viewed': { icon: DoorOpen, good: true },
  'reservation.arrival_details_override_released': { icon: KeyRound },
  'certificate.created': { icon: BadgeCheck, good: true },
  'certificate.redacted': { icon: Eraser },
  'guest.erased': { icon: Eraser },
  'legal_hold.set': { icon: Scale },
  'legal_hold.lifted': { icon: Scale },
  'copy.opened': { icon: Eye },
  'copy.revoked': { icon: XCircle },
  'copy.restored': { icon: Unlock },
};

/** Shows the audit trail, oldest entry first, in the property's time zone. */
export function ReservationTimeline({ id, zone }: { id: string; zone: string | null }) {
  const t = useTranslations('reservation_detail');
  const trpc = useTRPC();
  // Refetches when the page opens, because the data may have been prefetched before the last
  // action.
  const events = useQuery(
    trpc.reservations.events.queryOptions({ id }, { refetchInterval: 15_000, refetchOnMount: 'always' }),
  );
  if (events.error && !events.data) {
    return <QueryErrorPanel title={t('the_timeline_could_not_be_loaded')} query={events} />;
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
    <ol aria-label={t('timeline')} className="px-5 py-5">
      {events.data.data.map((event, index, all) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end.
        <Entry key={index} event={event} zone={zone} last={index === all.length - 1} />
      ))}
    </ol>
  );
}

function Entry({ event, zone, last }: { event: ReservationTimelineEntry; zone: string | null; last: boolean }) {
  const say = useAuditTrailEntryDescriber();
  const by = useAuditTrailActorDescriber();
  const t = useTranslations('reservation_detail');
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
      <div className="grid min-w-0 flex-1 gap-0.5 pt-1">
        <p className="font-medium text-sm">{say(event)}</p>
        <p className="text-ink-soft text-xs">
          <DateTime value={event.created_at} zone={zone} seconds />
          {event.actor && event.actor.kind !== 'guest' ? `, ${by(event.actor)}` : null}
        </p>
        {event.note ? (
          <p className="mt-1 break-words text-ink-soft text-sm">
            {event.type === 'guest.corrected' ? event.note : `“${event.note}”`}
          </p>
        ) : null}
        {event.signed_ip ? (
          <p className="text-ink-soft text-xs">{t('from_signed_ip', { signed_ip: event.signed_ip })}</p>
        ) : null}
        {event.content_hash ? (
          <p className="flex min-w-0 max-w-full items-center gap-1 text-ink-soft text-xs">
            <span className="shrink-0">{t('content_hash')}</span>
            <CopyableId value={event.content_hash} label={t('content_hash_2')} />
          </p>
        ) : null}
      </div>
    </li>
  );
}
