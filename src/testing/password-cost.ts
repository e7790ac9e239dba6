/**
 * Lowers the cost of better-auth's password hashes in tests. At the product's cost, which slows
 * attackers down, the hashes would take a tenth of the processor time of all tests.
 */
import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const LOWEST_COST = 2;
const { scrypt } = crypto;
let isLowered = false;

type ScryptCallback = Parameters<typeof scrypt>[4];

crypto.scrypt = ((
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  options: ScryptOptions,
  callback: ScryptCallback,
) => scrypt(password, salt, length, isLowered ? { ...options, N: LOWEST_COST } : options, callback)) as typeof scrypt;
// better-auth imports the function by name.
syncBuiltinESMExports();

/** Hashes passwords at the lowest cost, or at the product's cost for a test that compares times. */
export function setPasswordCost(cost: 'lowest' | 'product'): void {
  isLowered = cost === 'lowest';
}
