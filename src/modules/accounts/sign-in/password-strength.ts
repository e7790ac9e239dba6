/** Passwords that are tried first: those on lists, keyboard runs, dates, and one's own name or address. */

import { readInThread } from '@/infra/reader';
import { refusal } from '@/shared/refusals/refusal';

/** Whether a password is among the first that anyone would try. `own` are the person's name and address. */
export function isCommonPassword(password: string, own: readonly string[] = []): Promise<boolean> {
  return readInThread<boolean>({ type: 'password', password, own });
}

export const COMMON_PASSWORD = refusal('common_password');
