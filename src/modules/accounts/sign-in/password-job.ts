/** How a password is judged, in a reading thread: some take a tenth of a second, and the lists are some megabytes. */

/** Below it fewer than a million guesses are enough. */
const WEAKEST_SCORE = 2;
/** Looking at a password takes more than linear time; a longer one is not refused for its beginning. */
const LOOKED_AT = 64;

export interface PasswordJob {
  readonly password: string;
  /** The person's name and address. */
  readonly own: readonly string[];
}

type Check = (password: string, own: string[]) => { score: number };
let loaded: Promise<Check> | undefined;

/** The lists are read when a thread sees its first password. */
function load(): Promise<Check> {
  loaded ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }]) => {
      const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
      return (password, own) => zxcvbn.check(password, own);
    },
  );
  return loaded;
}

/** Whether it is among the first that anyone would try. */
export async function judgePassword({ password, own }: PasswordJob): Promise<boolean> {
  const check = await load();
  const words = own.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2);
  return check(password.slice(0, LOOKED_AT), words.slice(0, 20)).score < WEAKEST_SCORE;
}
