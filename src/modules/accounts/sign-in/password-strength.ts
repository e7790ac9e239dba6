/** Detects passwords that attackers try first, such as listed passwords and the user's own name. */

import { readInThread } from '@/infra/reader';
import { refusal } from '@/shared/refusals/refusal';

/**
 * Returns whether attackers would try the password first. `own` contains the user's name and
 * address.
 */
export function isCommonPassword(password: string, own: readonly string[] = []): Promise<boolean> {
  return readInThread<boolean>({ type: 'password', password, own });
}

export const COMMON_PASSWORD = refusal('common_password');
