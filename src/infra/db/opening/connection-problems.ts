/** Explains to the operator why an external database cannot be used. Pure. */

const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'it refused the user’s password',
  '28000': 'it does not let this user in',
  '3D000': 'there is no such database on that server',
  '42501': 'its user may not do what the migrations do; it has to own the schema or be granted CREATE on it',
  '53300': 'it takes no more connections',
};
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of its host could not be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to its host',
  ECONNRESET: 'it closed the connection',
};

/**
 * Returns the explanation of a known problem, with the variable and the host but no password.
 * Returns null for any other error.
 */
export function describeConnectionProblem(error: unknown, connection_string: string): string | null {
  const told = reasonOf(error);
  return told && `DATABASE_URL: ${placeOf(connection_string)} cannot be used: ${told}`;
}

function reasonOf(error: unknown): string | null {
  const { code, message = '', errors, cause } = error as Error & { code?: string; errors?: unknown[] };
  const known = REFUSALS[code ?? ''] ?? UNREACHABLE[code ?? ''];
  // PostgreSQL's message is added, because it names the table or role.
  if (known) return REFUSALS[code ?? ''] && message ? `${known} (${message})` : known;
  if (/timeout expired|connection timeout/i.test(message)) return UNREACHABLE.ETIMEDOUT as string;
  // The schema engine passes on PostgreSQL's message without its code.
  if (/permission denied/i.test(message))
    return `${REFUSALS['42501']} (${/permission denied[^\n"]{0,100}/i.exec(message)?.[0].trim()})`;
  for (const inner of [...(errors ?? []), ...(cause ? [cause] : [])]) {
    const found = reasonOf(inner);
    if (found) return found;
  }
  return null;
}

/** Describes the connection: `db.example.com:5432/threshold as “me”`. */
function placeOf(connection_string: string): string {
  const { host, pathname, username } = new URL(connection_string);
  return `${host || 'the local server'}${decodeURIComponent(pathname)}${username ? ` as “${decodeURIComponent(username)}”` : ''}`;
}
