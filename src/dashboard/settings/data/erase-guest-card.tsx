'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Checkbox } from '../../developers/checkbox';
import { paths } from '../../paths';
import { toDisplayableError } from '../../read-error';
import { type ProcedureOutputs, useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { CalendarDayRange, DateTime } from '../../ui/date-time';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { type GuestErasure, useErasureReceiptDownload } from './receipt';

type Preview = ProcedureOutputs['guest_erasures']['preview'];
interface Query {
  name: string | null;
  email: string | null;
}

/**
 * Finds a guest's data and lists what will be deleted and what will stay. Then erases the data and
 * offers a receipt.
 */
export function EraseGuestCard() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const [query, setQuery] = useState<Query | null>(null);
  const [left_out, setLeftOut] = useState<readonly string[]>([]);
  const [asking, setAsking] = useState(false);
  const [none_given, setNoneGiven] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const router = useRouter();
  // A reservation's page links here with this parameter.
  const from = useSearchParams().get('guest');
  const stay = useQuery(trpc.reservations.retrieve.queryOptions({ id: from ?? '' }, { enabled: from !== null }));
  const preview = useMutation(trpc.guest_erasures.preview.mutationOptions({ meta: { handlesError: true } }));
  const erase = useMutation(
    trpc.guest_erasures.create.mutationOptions({
      onSuccess: () => {
        setAsking(false);
        preview.reset();
        form.current?.reset();
        if (from) router.replace(paths.settings_section('data'), { scroll: false });
      },
    }),
  );
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name)).trim() || null;
    const wanted = { name: text('name'), email: text('email') };
    setNoneGiven(!wanted.name && !wanted.email);
    if (!wanted.name && !wanted.email) return;
    look(wanted);
  };
  const look = (wanted: Query) => {
    setQuery(wanted);
    setLeftOut([]);
    erase.reset();
    preview.mutate(wanted);
  };
  const guest = from && stay.data ? stay.data : null;
  const looked_for = useRef<string | null>(null);
  useEffect(() => {
    if (!guest || looked_for.current === guest.id) return;
    looked_for.current = guest.id;
    look({ name: guest.guest_name, email: guest.guest_contact_missing ? null : guest.guest_email });
  });
  const matches = preview.data?.matches ?? [];
  const chosen = matches.filter((one) => !one.stays && !left_out.includes(one.reservation_id));
  const loose = preview.data?.loose_mails ?? 0;
  const refused = preview.error ? toDisplayableError(preview.error).message : undefined;
  return (
    <Card>
      <CardHeader title={t('erase_title')} description={t('erase_lead')} />
      <CardBody className="grid gap-4 text-sm leading-relaxed">
        <form
          className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]"
          key={guest?.id}
          noValidate
          ref={form}
          onSubmit={find}
        >
          <Field label={t('erase_name')} error={none_given ? t('erase_give_one') : refused}>
            {(control) => (
              <Input {...control} autoComplete="off" maxLength={120} name="name" defaultValue={guest?.guest_name} />
            )}
          </Field>
          <Field label={t('erase_email')}>
            {(control) => (
              <Input
                {...control}
                type="email"
                autoComplete="off"
                maxLength={254}
                name="email"
                defaultValue={guest && !guest.guest_contact_missing ? guest.guest_email : undefined}
              />
            )}
          </Field>
          <Button type="submit" variant="secondary" className="sm:mt-6" pending={preview.isPending}>
            <Search aria-hidden />
            {t('erase_find')}
          </Button>
        </form>
        <div aria-live="polite" className="grid gap-4">
          {preview.data && matches.length + loose === 0 ? <p>{t('erase_nothing')}</p> : null}
          {matches.length + loose > 0 ? (
            <>
              <Matches
                matches={matches}
                left_out={left_out}
                onLeaveOut={(id, out) => setLeftOut(out ? [...left_out, id] : left_out.filter((one) => one !== id))}
              />
              {preview.data?.has_more ? <p>{t('erase_more')}</p> : null}
              {loose > 0 ? <LooseMails count={loose} mails={preview.data?.mails ?? []} /> : null}
              <ul className="grid list-disc gap-1 pl-5">
                <li>{t('erase_goes')}</li>
                <li>{t('erase_stays')}</li>
              </ul>
              <Button
                variant="danger"
                className="justify-self-start"
                disabled={chosen.length + loose === 0}
                onClick={() => setAsking(true)}
              >
                {t('erase_action')}
              </Button>
            </>
          ) : null}
          {erase.data ? <Progress id={erase.data.id} /> : null}
        </div>
        <Receipts />
      </CardBody>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        danger
        title={t('erase_confirm_title')}
        confirmLabel={t('erase_action')}
        pending={erase.isPending}
        onConfirm={() =>
          query &&
          erase.mutate({
            ...query,
            reservation_ids: chosen.map(({ reservation_id }) => reservation_id),
            confirm: 'erase',
          })
        }
      >
        {t('erase_confirm')}
      </ConfirmDialog>
    </Card>
  );
}

function Matches({
  matches,
  left_out,
  onLeaveOut,
}: {
  matches: Preview['matches'];
  left_out: readonly string[];
  onLeaveOut: (id: string, out: boolean) => void;
}) {
  const t = useTranslations('settings');
  return (
    <fieldset className="grid max-h-80 gap-3 overflow-y-auto">
      <legend className="mb-2 font-medium text-ink">{t('erase_found', { count: matches.length })}</legend>
      {matches.map((one) => (
        <Checkbox
          key={one.reservation_id}
          checked={!one.stays && !left_out.includes(one.reservation_id)}
          disabled={one.stays !== null}
          onChange={(event) => onLeaveOut(one.reservation_id, !event.target.checked)}
          label={[one.guest_name, one.guest_email, one.property_name].filter(Boolean).join(' · ') || one.reservation_id}
          hint={
            <>
              {one.checkin_date && one.checkout_date ? (
                <CalendarDayRange from={one.checkin_date} to={one.checkout_date} />
              ) : (
                t('erase_deleted')
              )}
              {one.stays ? ` · ${t('erase_held')}` : one.signed ? ` · ${t('erase_certificate_stays')}` : null}
            </>
          }
        />
      ))}
    </fieldset>
  );
}

/**
 * Lists the found mails by subject, so that the user notices mails of other guests before they are
 * erased.
 */
function LooseMails({ count, mails }: { count: number; mails: Preview['mails'] }) {
  const t = useTranslations('settings');
  return (
    <div className="grid gap-1">
      <p>{t('erase_loose', { count })}</p>
      <ul className="grid max-h-40 list-disc gap-1 overflow-y-auto pl-5">
        {mails.map(({ id, subject, received_at }) => (
          <li key={id}>
            {subject} · <DateTime value={received_at} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const LOOK_AGAIN_MS = 1_000;

function Progress({ id }: { id: string }) {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const erasure = useQuery(
    trpc.guest_erasures.retrieve.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data?.status === 'done' ? false : LOOK_AGAIN_MS) },
    ),
  );
  if (!erasure.data) return null;
  const { status, erased, total } = erasure.data;
  if (status === 'running') return <p>{t('erase_running', { done: erased.length, total })}</p>;
  return (
    <div className="grid justify-items-start gap-2">
      <p className="font-medium text-ink">{t('erase_done')}</p>
      <ReceiptButton erasure={erasure.data} />
    </div>
  );
}

function ReceiptButton({ erasure }: { erasure: GuestErasure }) {
  const t = useTranslations('settings');
  const download = useErasureReceiptDownload();
  return (
    <Button variant="secondary" size="sm" onClick={() => download(erasure)}>
      {t('erase_receipt')}
    </Button>
  );
}

/** Lists the receipts of earlier erasures, which can be downloaded again. */
function Receipts() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const list = useQuery(trpc.guest_erasures.list.queryOptions());
  const done = list.data?.data.filter(({ status }) => status === 'done') ?? [];
  if (done.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer text-ink-soft">{t('erase_receipts')}</summary>
      <ul className="mt-2 grid gap-2">
        {done.map((erasure) => (
          <li key={erasure.id} className="flex flex-wrap items-center gap-3">
            <DateTime value={erasure.created_at} />
            <ReceiptButton erasure={erasure} />
          </li>
        ))}
      </ul>
    </details>
  );
}
