import { expect, it } from 'vitest';
import { getPrimaryAction } from './primary-action';

const row = {
  status: 'sent',
  guest_contact_missing: false,
  mail_problem: null,
  certificate: null,
  actions: { resend: { allowed: true } },
} as const;

it.each([
  [{ status: 'draft' }, 'send'],
  [{ status: 'synced', guest_contact_missing: true }, 'share'],
  [{ status: 'sent' }, 'resend'],
  [{ status: 'clicked' }, 'resend'],
  [{ status: 'sent', mail_problem: { status: 'captured' } }, 'links'],
  [{ status: 'sent', mail_problem: { status: 'failed' } }, 'resend'],
  [{ status: 'sent', actions: { resend: { allowed: false } } }, null],
  [{ status: 'signed', certificate: {} }, 'certificate'],
  [{ status: 'signed' }, null],
  [{ status: 'expired' }, 'resend'],
  [{ status: 'expired', actions: { resend: { allowed: false } } }, null],
  [{ status: 'ignored' }, 'restore'],
] as const)('the primary action of %j is %s', (different, action) => {
  expect(getPrimaryAction({ ...row, ...different })).toBe(action);
});
