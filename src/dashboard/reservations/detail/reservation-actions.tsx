'use client';
import { useMutation } from '@tanstack/react-query';
import {
  ArchiveRestore,
  CalendarRange,
  Download,
  EllipsisVertical,
  EyeOff,
  KeyRound,
  Link2,
  Mail,
  Pencil,
  PenLine,
  RotateCw,
  Share2,
  Trash2,
  UserX,
  XCircle,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { HostAction } from '@/modules/reservations/rules/allowed-actions';
import { paths } from '../../paths';
import { useMe, usePermissions } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { Reservation } from '../../types';
import { Button } from '../../ui/button';
import { lazyComponent } from '../../ui/lazy-component';
import { AnchorButton } from '../../ui/link-button';
import { useHasOverlayOpened } from '../../ui/overlay/dialog';
import { Menu, MenuAction, MenuContent, MenuSeparator, MenuTrigger } from '../../ui/overlay/dropdown-menu';
import { toast } from '../../ui/overlay/toaster';
import { useSendResultToast } from '../use-send-result-toast';
import { OpenAsGuestButton } from './open-as-guest';
import { getPrimaryAction, type PrimaryAction } from './primary-action';

const ConfirmDialogs = lazyComponent(() =>
  import('./confirm-dialogs').then((file) => file.ReservationActionConfirmationDialogs),
);

const EditReservationDialog = lazyComponent(() =>
  import('../form/edit-dialog').then((file) => file.EditReservationDialog),
);
const ReleaseDialog = lazyComponent(() => import('./release-dialog').then((file) => file.ReleaseArrivalDetailsDialog));
const LinksDialog = lazyComponent(() => import('./links-dialog').then((file) => file.GuestLinksDialog));
const ShareDialog = lazyComponent(() => import('./links-dialog').then((file) => file.ShareLinkDialog));

/** The dialog that is open. */
export type ReservationDialogName =
  | 'send'
  | 'resend'
  | 'cancel'
  | 'delete'
  | 'sign_manually'
  | 'edit'
  | 'dates'
  | 'guest'
  | 'release'
  | 'links'
  | 'share';

/** The statuses in which the guest can sign. */
const WITH_GUEST: ReadonlySet<string> = new Set(['sent', 'opened', 'clicked']);

const ChangeDatesDialog = lazyComponent(() => import('./change-dates-dialog'));
const CorrectGuestDialog = lazyComponent(() => import('./correct-guest-dialog'));

interface ReservationActionsProps {
  reservation: Reservation;
  open: ReservationDialogName | null;
  onOpen: (dialog: ReservationDialogName | null) => void;
}

/** The buttons for a reservation. A disabled button explains why it is disabled. */
export function ReservationActions({ reservation, open, onOpen }: ReservationActionsProps) {
  const t = useTranslations('reservation_detail');
  const { id, guest_name, status } = reservation;
  const router = useRouter();
  const me = useMe();
  const test = me.mode === 'test';
  const tellSent = useSendResultToast();
  const [menu, setMenu] = useState(false);
  const close = () => onOpen(null);
  const done = (text: string) => () => {
    close();
    toast.success(text);
  };
  const mailed = () => {
    close();
    tellSent(reservation);
  };
  const trpc = useTRPC();
  const send = useMutation(
    trpc.reservations.send.mutationOptions({
      onSuccess: mailed,
    }),
  );
  const resend = useMutation(
    trpc.reservations.resend.mutationOptions({
      onSuccess: mailed,
    }),
  );
  const restore = useMutation(
    trpc.reservations.restore.mutationOptions({
      onSuccess: done(t('guest_name_is_back_as_it_began', { guest_name })),
    }),
  );
  const undo = { label: t('undo'), onClick: () => restore.mutate({ id }) };
  const unsent = status === 'draft' || status === 'synced';
  const cancel = useMutation(
    trpc.reservations.cancel.mutationOptions({
      onSuccess: () => {
        close();
        // Undo is offered only when nothing was sent to the guest. Otherwise the message explains
        // that the guest's link no longer works.
        toast.success(t('cancelled'), unsent ? { action: undo } : { description: t('the_guests_link_is_dead') });
      },
    }),
  );
  const ignore = useMutation(
    trpc.reservations.ignore.mutationOptions({
      onSuccess: () => toast.success(t('set_aside'), { action: undo }),
    }),
  );
  const sign = useMutation(
    trpc.reservations.sign_manually.mutationOptions({
      onSuccess: done(t('marked_as_signed')),
    }),
  );
  const remove = useMutation(
    trpc.reservations.delete.mutationOptions({
      onSuccess: () => {
        toast.success(t('the_draft_is_deleted'));
        router.push(paths.reservations);
      },
    }),
  );
  const why = (action: HostAction) => {
    const answer = reservation.actions[action];
    return answer.allowed ? null : answer.message;
  };
  // Allows opening the dialog for an empty packet, because the dialog lists what is missing and
  // links to the packet.
  const is_empty = !reservation.actions.send.allowed && reservation.actions.send.code === 'packet_empty';
  const no_link = reservation.sent_at ? null : t('there_is_a_link_once_the_reservation');
  const primary = getPrimaryAction(reservation);
  const can_change = unsent || WITH_GUEST.has(status);
  const variant = (first: boolean) => (first ? 'primary' : 'secondary');
  const buttons: Record<PrimaryAction, (first: boolean) => ReactNode> = {
    send: (first) => (
      <Button variant={variant(first)} disabledReason={is_empty ? null : why('send')} onClick={() => onOpen('send')}>
        <Mail aria-hidden />
        {t('send')}
      </Button>
    ),
    share: (first) => (
      <Button variant={variant(first)} onClick={() => onOpen('share')}>
        <Share2 aria-hidden />
        {t('share_a_link')}
      </Button>
    ),
    links: (first) => (
      <Button variant={variant(first)} disabledReason={no_link} onClick={() => onOpen('links')}>
        <Link2 aria-hidden />
        {t('links')}
      </Button>
    ),
    resend: (first) => (
      <Button variant={variant(first)} disabledReason={why('resend')} onClick={() => onOpen('resend')}>
        <RotateCw aria-hidden />
        {t('resend')}
      </Button>
    ),
    restore: (first) => (
      <Button
        variant={variant(first)}
        disabledReason={why('restore')}
        pending={restore.isPending}
        onClick={() => restore.mutate({ id })}
      >
        <ArchiveRestore aria-hidden />
        {t('restore')}
      </Button>
    ),
    certificate: () => <CertificateButton certificate={reservation.certificate} />,
  };

  const asked = useHasOverlayOpened(open !== null);
  const { manages, handles_guests } = usePermissions();
  if (!handles_guests) return null;
  const as_guest = test && WITH_GUEST.has(status);
  return (
    <>
      {as_guest ? <OpenAsGuestButton id={id} /> : null}
      {primary ? buttons[primary](!as_guest) : null}
      {can_change ? (
        <Button
          variant="secondary"
          disabledReason={why(unsent ? 'update' : 'change_dates')}
          onClick={() => onOpen(unsent ? 'edit' : 'dates')}
        >
          <CalendarRange aria-hidden />
          {t('change_dates')}
        </Button>
      ) : null}
      {primary === 'links' ? buttons.resend(false) : primary === 'share' ? null : buttons.links(false)}
      <Menu open={menu} onOpenChange={setMenu}>
        <MenuTrigger asChild>
          <Button variant="secondary" size="icon" aria-label={t('more_actions')}>
            <EllipsisVertical aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent align="end">
          {unsent ? (
            <MenuAction icon={<Pencil aria-hidden />} refused={why('update')} onAct={() => onOpen('edit')}>
              {t('edit')}
            </MenuAction>
          ) : (
            <MenuAction icon={<Pencil aria-hidden />} refused={why('correct_guest')} onAct={() => onOpen('guest')}>
              {t('correct_guest_title')}
            </MenuAction>
          )}
          <MenuAction icon={<KeyRound aria-hidden />} refused={why('override_arrival')} onAct={() => onOpen('release')}>
            {t('release_arrival_details_early_2')}
          </MenuAction>
          <MenuAction
            icon={<PenLine aria-hidden />}
            refused={why('sign_manually')}
            onAct={() => onOpen('sign_manually')}
          >
            {t('mark_as_signed')}
          </MenuAction>
          <MenuSeparator />
          {unsent ? (
            <MenuAction icon={<EyeOff aria-hidden />} refused={why('ignore')} onAct={() => ignore.mutate({ id })}>
              {t('set_aside_2')}
            </MenuAction>
          ) : null}
          <MenuAction icon={<XCircle aria-hidden />} danger refused={why('cancel')} onAct={() => onOpen('cancel')}>
            {t('cancel_the_reservation')}
          </MenuAction>
          {status === 'draft' ? (
            <MenuAction icon={<Trash2 aria-hidden />} danger refused={why('delete')} onAct={() => onOpen('delete')}>
              {t('delete_the_draft')}
            </MenuAction>
          ) : null}
          {manages ? (
            <MenuAction icon={<UserX aria-hidden />} refused={null} onAct={() => router.push(paths.erase_guest(id))}>
              {t('erase_guest')}
            </MenuAction>
          ) : null}
        </MenuContent>
      </Menu>

      {asked ? (
        <ConfirmDialogs
          open={open}
          onClose={close}
          reservation={reservation}
          test={test}
          mail_is_sent={me.mail_is_sent}
          pending={{
            send: send.isPending,
            resend: resend.isPending,
            cancel: cancel.isPending,
            delete: remove.isPending,
            sign_manually: sign.isPending,
          }}
          onConfirm={(what) => ({ send, resend, cancel, delete: remove, sign_manually: sign })[what].mutate({ id })}
        />
      ) : null}
      {open === 'edit' ? <EditReservationDialog reservation={reservation} onClose={close} /> : null}
      {open === 'dates' ? <ChangeDatesDialog reservation={reservation} onClose={close} /> : null}
      {open === 'guest' ? <CorrectGuestDialog reservation={reservation} onClose={close} /> : null}
      {open === 'release' ? (
        <ReleaseDialog
          id={id}
          guest={guest_name}
          withheld={reservation.arrival.withheld}
          signed={reservation.signed_at !== null}
          onClose={close}
        />
      ) : null}
      {open === 'links' ? <LinksDialog id={id} onClose={close} /> : null}
      {open === 'share' ? <ShareDialog id={id} guest={guest_name} onClose={close} /> : null}
    </>
  );
}

/** The button that downloads the certificate. */
function CertificateButton({ certificate }: Pick<Reservation, 'certificate'>) {
  const me = useMe();
  const t = useTranslations('reservation_detail');
  const label = (
    <>
      <Download aria-hidden />
      {t('download_certificate')}
    </>
  );
  if (!certificate?.pdf_available) return <Button disabledReason={t('the_pdf_is_being_sealed')}>{label}</Button>;
  return (
    <AnchorButton href={paths.certificate_pdf(me, { id: certificate.id })} download>
      {label}
    </AnchorButton>
  );
}
