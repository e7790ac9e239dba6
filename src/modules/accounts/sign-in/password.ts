/** Passwords, for what asks for one again. better-auth's hashing is the only one. */
import { auth } from './auth';

export async function hashPassword(password: string): Promise<string> {
  return (await auth().$context).password.hash(password);
}

export async function checkPassword(hash: string, password: string): Promise<boolean> {
  return (await auth().$context).password.verify({ hash, password });
}
