/**
 * Rates passwords in a parser thread, because rating can take 0.1 s and the word lists are
 * megabytes in size.
 */

/** A password with a lower score can be found in a million guesses. */
const WEAKEST_SCORE = 2;
/**
 * Only the beginning of a long password is rated, because the time for rating a password grows
 * faster than its length.
 */
const RATED_LENGTH = 64;

export interface PasswordStrengthJob {
  readonly password: string;
  /** The person's own name and address. Passwords similar to these are weak. */
  readonly own: readonly string[];
}

type Check = (password: string, own: string[]) => { score: number };
let loaded: Promise<Check> | undefined;

/** Loads the word lists once, when a thread rates its first password. */
function load(): Promise<Check> {
  loaded ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }]) => {
      const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
      return (password, own) => zxcvbn.check(password, own);
    },
  );
  return loaded;
}

/** Returns whether an attacker would guess the password within a million attempts. */
export async function isWeakPassword({ password, own }: PasswordStrengthJob): Promise<boolean> {
  const check = await load();
  const words = own.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2);
  return check(password.slice(0, RATED_LENGTH), words.slice(0, 20)).score < WEAKEST_SCORE;
}
