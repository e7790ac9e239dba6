/** Chooses the action that a host most likely needs next. Pure. */
import type { Reservation } from '../../types';
import { isReservationUnsent } from '../status-words';

export type PrimaryAction = 'send' | 'share' | 'links' | 'resend' | 'certificate' | 'restore';

type Facts = Pick<Reservation, 'status' | 'guest_contact_missing'> & {
  mail_problem: { status: string } | null;
  certificate: object | null;
  actions: { resend: { allowed: boolean } };
};

/** Returns null when no action is needed, for example after a signature on paper. */
export function getPrimaryAction(row: Facts): PrimaryAction | null {
  if (row.status === 'ignored') return 'restore';
  if (row.certificate) return 'certificate';
  if (isReservationUnsent(row)) return row.guest_contact_missing ? 'share' : 'send';
  // There is no mail provider, so the host has to pass on the link.
  if (row.mail_problem?.status === 'captured') return 'links';
  return row.status !== 'signed' && row.actions.resend.allowed ? 'resend' : null;
}
