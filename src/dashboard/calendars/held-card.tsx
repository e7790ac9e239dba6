'use client';
/**
 * Shows a question that a calendar run asks the host, and the changes that the host declined
 * earlier.
 */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { useTRPC } from '../trpc';
import type { SyncSource } from '../types';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { CalendarDayRange, DateTime } from '../ui/date-time';
import { Link } from '../ui/link';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { toast } from '../ui/overlay/toaster';
import { CalendarChangeList } from './change-list';

type Question = NonNullable<SyncSource['held']>;

export function CalendarQuestionsForHostCards({
  source,
  zone,
}: {
  source: SyncSource;
  zone: string | null | undefined;
}) {
  if (source.held) return <Asks source={source} held={source.held} zone={zone} />;
  return (
    <>
      {source.asked.map((ask) => (
        <AsksAboutStays key={ask.key} source={source} ask={ask} zone={zone} />
      ))}
      {source.keeps ? <Keeps source={source} /> : null}
    </>
  );
}

type StaysQuestion = SyncSource['asked'][number];

/**
 * Asks the host about stays that do not clearly match the calendar's entries, for example because
 * bookings were merged or moved. The rest of the calendar is still synchronized.
 */
function AsksAboutStays({
  source,
  ask,
  zone,
}: {
  source: SyncSource;
  ask: StaysQuestion;
  zone: string | null | undefined;
}) {
  const t = useTranslations('calendar_detail');
  const trpc = useTRPC();
  const answer = useMutation(
    trpc.sync_sources.answer.mutationOptions({
      onSuccess: () => toast.success(t('done')),
    }),
  );
  const { kind, key, since } = ask;
  const give = (given: 'apply' | 'keep') => answer.mutate({ id: source.id, answer: given, since, key });
  return (
    <Card className="border-warning/40">
      <CardHeader
        title={t(`asked_${kind}`)}
        description={t.rich('these_stays_wait_since', { time: () => <DateTime value={since} zone={zone} /> })}
      />
      <StaysAwaitingHostDecisionList ask={ask} />
      <CardBody className="flex flex-wrap items-center gap-3 border-t">
        {(['apply', 'keep'] as const).map((given) => (
          <Button
            key={given}
            variant="secondary"
            pending={answer.isPending && answer.variables.answer === given}
            onClick={() => give(given)}
          >
            {t(`asked_${kind}_${given}`)}
          </Button>
        ))}
        <p className="basis-60 grow text-ink-soft text-sm">{t(`advice_${kind}`)}</p>
      </CardBody>
    </Card>
  );
}

/** Shows the reservations in question, next to the calendar's entries for the same nights. */
export function StaysAwaitingHostDecisionList({ ask }: { ask: StaysQuestion }) {
  const t = useTranslations('calendar_detail');
  return (
    <dl className="grid gap-4 px-5 py-4 text-sm sm:grid-cols-2">
      <div className="grid content-start gap-1">
        <dt className="text-ink-soft">{t('your_reservations')}</dt>
        {ask.reservations.map(({ reservation_id, guest_name, checkin_date, checkout_date }) => (
          <dd key={reservation_id} className="flex flex-wrap gap-x-2">
            <Link href={paths.reservation(reservation_id)} className="break-words font-medium hover:underline">
              {guest_name}
            </Link>
            <CalendarDayRange from={checkin_date} to={checkout_date} />
          </dd>
        ))}
      </div>
      <div className="grid content-start gap-1">
        <dt className="text-ink-soft">{t('in_the_calendar')}</dt>
        {ask.entries.map(({ guest_name, checkin_date, checkout_date }) => (
          <dd key={`${checkin_date} ${checkout_date} ${guest_name}`} className="flex flex-wrap gap-x-2">
            <span className="break-words font-medium">{guest_name}</span>
            <CalendarDayRange from={checkin_date} to={checkout_date} />
          </dd>
        ))}
      </div>
    </dl>
  );
}

function Asks({ source, held, zone }: { source: SyncSource; held: Question; zone: string | null | undefined }) {
  const t = useTranslations('calendar_detail');
  const [confirming, setConfirming] = useState(false);
  const trpc = useTRPC();
  const answer = useMutation(
    trpc.sync_sources.answer.mutationOptions({
      onSuccess: (after) => {
        setConfirming(false);
        if (after.held?.apply) toast.error(after.last_error ?? t('it_is_done_as_soon_as_it_can_be_read'));
        else toast.success(t(after.keeps && !after.held ? 'everything_stays_as_it_is' : 'done'));
      },
    }),
  );
  const give = (given: 'apply' | 'keep') => answer.mutate({ id: source.id, answer: given, since: held.since });
  const cancels = held.would.filter(({ what }) => what === 'cancel').length;
  const apply = () => (cancels > 0 ? setConfirming(true) : give('apply'));
  if (held.apply) {
    return <Notice tone="info" title={t('you_said_that_this_calendar_is_right')} />;
  }
  return (
    <Card className="border-warning/40">
      <CardHeader
        title={t(`held_${held.reason}`)}
        description={t.rich('nothing_was_changed_since', { time: () => <DateTime value={held.since} zone={zone} /> })}
      />
      <CalendarChangeList changes={held.would} />
      <CardBody className="flex flex-wrap items-center gap-3 border-t">
        <Button
          variant="secondary"
          pending={answer.isPending && answer.variables.answer === 'keep'}
          onClick={() => give('keep')}
        >
          {t('keep_everything')}
        </Button>
        <Button
          variant={cancels > 0 ? 'danger' : 'primary'}
          pending={answer.isPending && answer.variables.answer === 'apply'}
          onClick={apply}
        >
          {t('apply')}
        </Button>
        <p className="basis-60 grow text-ink-soft text-sm">{t(`advice_${held.reason}`)}</p>
      </CardBody>
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        danger
        title={t('cancel_reservations', { count: cancels })}
        confirmLabel={t('apply')}
        pending={answer.isPending}
        onConfirm={() => give('apply')}
      >
        {t('the_guests_links_stop_working')}
      </ConfirmDialog>
    </Card>
  );
}

function Keeps({ source }: { source: SyncSource }) {
  const t = useTranslations('calendar_detail');
  const trpc = useTRPC();
  const answer = useMutation(
    trpc.sync_sources.answer.mutationOptions({
      onSuccess: (after) => {
        toast.success(t(after.held ? 'here_is_what_the_calendar_would_do' : 'kept_reservations_have_no_effect'));
      },
    }),
  );
  return (
    <Notice
      tone="info"
      title={t('you_told_this_calendar_to_leave_some_things')}
      actions={
        <Button
          variant="secondary"
          size="sm"
          pending={answer.isPending}
          onClick={() => answer.mutate({ id: source.id, answer: 'ask_again', since: null })}
        >
          {t('ask_me_again')}
        </Button>
      }
    >
      {t('reservations_that_it_no_longer_has_stay')}
    </Notice>
  );
}
