/** Hashes and checks passwords for actions other than signing in. Uses better-auth's functions. */
import { getBetterAuth } from './auth';

export async function hashPassword(password: string): Promise<string> {
  return (await getBetterAuth().$context).password.hash(password);
}

export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  return (await getBetterAuth().$context).password.verify({ hash, password });
}
