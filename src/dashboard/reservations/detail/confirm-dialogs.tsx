'use client';
import { PenLine } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import type { Reservation } from '../../types';
import { LinkButton } from '../../ui/link-button';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { Dialog } from '../../ui/overlay/dialog';

export type ReservationActionToConfirm = 'send' | 'resend' | 'cancel' | 'delete' | 'sign_manually';

interface ConfirmDialogsProps {
  open: string | null;
  onClose: () => void;
  reservation: Reservation;
  test: boolean;
  mail_is_sent: boolean;
  pending: Record<ReservationActionToConfirm, boolean>;
  onConfirm: (what: ReservationActionToConfirm) => void;
}

/** The confirmation dialogs for irreversible actions, each with the consequences. */
export function ReservationActionConfirmationDialogs({
  open,
  onClose,
  reservation,
  test,
  mail_is_sent,
  pending,
  onConfirm,
}: ConfirmDialogsProps) {
  const t = useTranslations('reservation_detail');
  const target = test
    ? t('the_mail_is_rendered_and_kept_here')
    : mail_is_sent
      ? t('the_mail_goes_to_guest_email', { guest_email: reservation.guest_email })
      : t('mail_is_not_set_up_here_so');
  const dialog = (what: ReservationActionToConfirm) => ({
    open: open === what,
    onOpenChange: onClose,
    pending: pending[what],
    onConfirm: () => onConfirm(what),
  });
  const { send } = reservation.actions;
  return (
    <>
      <Dialog
        open={open === 'send' && !send.allowed}
        onOpenChange={onClose}
        size="sm"
        title={t('send_the_packet_to_guest_name', { guest_name: reservation.guest_name })}
        footer={
          <LinkButton href={paths.packet(reservation.property_id, reservation.packet?.id ?? 'default')}>
            <PenLine aria-hidden />
            {t('write_the_house_rules')}
          </LinkButton>
        }
      >
        <p className="text-ink-soft text-sm leading-relaxed">{send.allowed ? null : send.message}</p>
      </Dialog>
      <ConfirmDialog
        {...dialog('send')}
        open={open === 'send' && send.allowed}
        title={t('send_the_packet_to_guest_name', { guest_name: reservation.guest_name })}
        confirmLabel={t('send')}
      >
        {target} {t('it_holds_the_link')}
      </ConfirmDialog>
      <ConfirmDialog {...dialog('resend')} title={t('send_it_again_with_a_fresh_link')} confirmLabel={t('resend')}>
        {target} {t('the_earlier_link_stops')}
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog('cancel')}
        danger
        title={t('cancel_this_reservation')}
        confirmLabel={t('cancel_the_reservation')}
        keepLabel={t('keep_the_reservation')}
      >
        {reservation.sent_at ? t('the_guest_can_no_longer_sign_and') : t('nothing_was_sent_to_the_guest')}{' '}
        {t('your_webhook_endpoints_hear_of_it')}
      </ConfirmDialog>
      <ConfirmDialog {...dialog('delete')} danger title={t('delete_this_draft')} confirmLabel={t('delete_the_draft')}>
        {t('it_goes_with_its_timeline_and_cannot')}
      </ConfirmDialog>
      <ConfirmDialog {...dialog('sign_manually')} title={t('mark_it_as_signed')} confirmLabel={t('mark_as_signed')}>
        {t('do_this_when_the_guest_signed_on')}
      </ConfirmDialog>
    </>
  );
}
