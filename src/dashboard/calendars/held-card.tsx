'use client';
/** What a calendar asks before it changes anything, and what the host has told it to leave. */
import { useState } from 'react';
import { Notice } from '../developers/notice';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { toast } from '../ui/overlay/toaster';
import { ChangeList } from './change-list';
import { countOf } from './labels';
import { type Source, useAnswer } from './queries';

type Question = NonNullable<Source['held']>;

const TITLES: Record<Question['reason'], string> = {
  all_gone: 'All bookings ahead are gone from this calendar',
  another_listing: 'This looks like another listing’s calendar',
};

export function HeldCard({ source, zone }: { source: Source; zone: string | null | undefined }) {
  if (source.held) return <Asks source={source} held={source.held} zone={zone} />;
  return source.keeps ? <Keeps source={source} /> : null;
}

function Asks({ source, held, zone }: { source: Source; held: Question; zone: string | null | undefined }) {
  const [confirming, setConfirming] = useState(false);
  const answer = useAnswer((after) => {
    setConfirming(false);
    if (after.held?.apply) toast.error(after.last_error ?? 'It is done as soon as the calendar can be read.');
    else toast.success(after.keeps && !after.held ? 'Everything stays as it is.' : 'Done.');
  });
  const give = (given: 'apply' | 'keep') => answer.mutate({ id: source.id, answer: given, since: held.since });
  const cancels = held.would.filter(({ what }) => what === 'cancel').length;
  const apply = () => (cancels > 0 ? setConfirming(true) : give('apply'));
  if (held.apply) {
    return (
      <Notice tone="info" title="You said that this calendar is right. It is applied as soon as it can be read." />
    );
  }
  return (
    <Card className="border-warning/40">
      <CardHeader
        title={TITLES[held.reason]}
        description={
          <>
            Since <DateTime value={held.since} zone={zone} />. Nothing was changed, and nothing will be until you say
            so. This is what it would have done:
          </>
        }
      />
      <ChangeList changes={held.would} />
      <CardBody className="flex flex-wrap items-center gap-3 border-t">
        <Button
          variant="secondary"
          pending={answer.isPending && answer.variables.answer === 'keep'}
          onClick={() => give('keep')}
        >
          Keep everything
        </Button>
        <Button
          variant={cancels > 0 ? 'danger' : 'primary'}
          pending={answer.isPending && answer.variables.answer === 'apply'}
          onClick={apply}
        >
          Apply
        </Button>
        <p className="basis-60 grow text-ink-soft text-sm">
          {held.reason === 'another_listing'
            ? 'If the link is wrong, replace it (More actions).'
            : 'If the channel made a mistake, it is often mended by itself, and then there is nothing to answer.'}
        </p>
      </CardBody>
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        danger
        title={`Cancel ${countOf(cancels, 'reservation', 'reservations')}?`}
        confirmLabel="Apply"
        pending={answer.isPending}
        onConfirm={() => give('apply')}
      >
        The guests’ links stop working. What is signed stays as it is.
      </ConfirmDialog>
    </Card>
  );
}

function Keeps({ source }: { source: Source }) {
  const answer = useAnswer((after) => {
    if (after.held) toast.success('Here is what the calendar would do.');
    else toast.success('Nothing that you kept makes a difference any more.');
  });
  return (
    <Notice
      tone="info"
      title="You told this calendar to leave some things as they are."
      actions={
        <Button
          variant="secondary"
          size="sm"
          pending={answer.isPending}
          onClick={() => answer.mutate({ id: source.id, answer: 'ask_again', since: null })}
        >
          Ask me again
        </Button>
      }
    >
      Reservations that it no longer has stay, and what came instead of them creates nothing.
    </Notice>
  );
}
