/** Passwords that are tried first: those on lists, keyboard runs, dates, and one's own name or address. */

/** Below it fewer than a million guesses are enough. */
const WEAKEST_SCORE = 2;
/** Looking at a password takes more than linear time; a longer one is not refused for its beginning. */
const LOOKED_AT = 64;

type Check = (password: string, own: string[]) => { score: number };
let loaded: Promise<Check> | undefined;

/** The lists are some megabytes: they are read when the first password is chosen, and never go to a browser. */
function load(): Promise<Check> {
  loaded ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }]) => {
      const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
      return (password, own) => zxcvbn.check(password, own);
    },
  );
  return loaded;
}

/** Whether a password is among the first that anyone would try. `own` are the person's name and address. */
export async function isCommonPassword(password: string, own: readonly string[] = []): Promise<boolean> {
  const check = await load();
  const words = own.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2);
  return check(password.slice(0, LOOKED_AT), words.slice(0, 20)).score < WEAKEST_SCORE;
}

export const COMMON_PASSWORD =
  'This password is one of the first that anyone would try. Choose a few words that do not belong together.';
