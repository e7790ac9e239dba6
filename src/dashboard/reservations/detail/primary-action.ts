/** What a host most likely does next with a reservation. Pure. */
import type { Reservation } from '../../types';
import { isUnsent } from '../status-words';

export type PrimaryAction = 'send' | 'share' | 'links' | 'resend' | 'certificate' | 'restore';

type Facts = Pick<Reservation, 'status' | 'guest_contact_missing'> & {
  mail_problem: { status: string } | null;
  certificate: object | null;
  actions: { resend: { allowed: boolean } };
};

/** Null when there is nothing left to do, as after a signature on paper. */
export function primaryAction(row: Facts): PrimaryAction | null {
  if (row.status === 'ignored') return 'restore';
  if (row.certificate) return 'certificate';
  if (isUnsent(row)) return row.guest_contact_missing ? 'share' : 'send';
  // What was not mailed is passed on by hand.
  if (row.mail_problem?.status === 'captured') return 'links';
  return row.status !== 'signed' && row.actions.resend.allowed ? 'resend' : null;
}
