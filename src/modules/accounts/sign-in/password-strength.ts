/** Detects passwords that attackers try first, such as listed passwords and the user's own name. */

import { runParserJob } from '@/infra/parser-pool';
import { createRefusal } from '@/shared/refusals/refusal';

/**
 * Returns whether attackers would try the password first. `own` contains the user's name and
 * address.
 */
export function isCommonPassword(password: string, own: readonly string[] = []): Promise<boolean> {
  return runParserJob<boolean>({ type: 'password', password, own });
}

export const COMMON_PASSWORD_REFUSAL = createRefusal('common_password');
