/** Refuses passwords that attackers try first, such as listed ones and the user's own name. */

import { runReaderJob } from '@/infra/reader';
import { createRefusal } from '@/shared/refusals/refusal';

/** Returns whether attackers would try a password first. `own`: the user's name and address. */
export function isCommonPassword(password: string, own: readonly string[] = []): Promise<boolean> {
  return runReaderJob<boolean>({ type: 'password', password, own });
}

export const COMMON_PASSWORD = createRefusal('common_password');
