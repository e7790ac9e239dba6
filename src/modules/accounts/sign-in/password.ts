/** Checks passwords outside of signing in. All hashing is better-auth's. */
import { getAuth } from './auth';

export async function hashPassword(password: string): Promise<string> {
  return (await getAuth().$context).password.hash(password);
}

export async function checkPassword(hash: string, password: string): Promise<boolean> {
  return (await getAuth().$context).password.verify({ hash, password });
}
