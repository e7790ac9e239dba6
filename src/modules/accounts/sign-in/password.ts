/** Hashes and checks passwords for actions other than signing in. Uses better-auth's functions. */
import { auth } from './auth';

export async function hashPassword(password: string): Promise<string> {
  return (await auth().$context).password.hash(password);
}

export async function checkPassword(hash: string, password: string): Promise<boolean> {
  return (await auth().$context).password.verify({ hash, password });
}
