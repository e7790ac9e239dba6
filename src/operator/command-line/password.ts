/**
 * Reads a password from the terminal or from stdin, which keeps it out of the shell's history and
 * the list of processes.
 */
import { StringDecoder } from 'node:string_decoder';

const LONGEST = 1_024;

/** The part of stdin that is used here. Only a terminal has `isTTY` and `setRawMode`. */
export interface PasswordInputStream extends NodeJS.ReadableStream {
  isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
}

/**
 * Reads a password: the first line of a pipe, or two equal lines that are typed at a terminal and
 * not shown. Returns null when there is none. Throws when the two lines differ.
 */
export async function readPassword(
  whose: string,
  input: PasswordInputStream,
  ask: (text: string) => void,
): Promise<string | null> {
  const lines = linesOf(input);
  if (!input.isTTY) return (await lines()) || null;
  input.setRawMode?.(true);
  try {
    ask(`${whose}: `);
    const typed = await lines();
    ask(`\n${whose} again: `);
    const again = await lines();
    ask('\n');
    if (typed !== again) throw new Error('The two passwords differ. Nothing was changed.');
    return typed || null;
  } finally {
    input.setRawMode?.(false);
    input.pause();
  }
}

/**
 * Returns a reader of lines, which returns null at the end. A terminal in raw mode sends each key
 * unprocessed.
 */
function linesOf(input: PasswordInputStream): () => Promise<string | null> {
  const decoder = new StringDecoder('utf8');
  const chunks = input[Symbol.asyncIterator]();
  let waiting = '';
  let ended = false;
  return async () => {
    for (;;) {
      const end = waiting.search(/[\r\n]/);
      if (end >= 0 || (ended && waiting !== '')) {
        const line = end >= 0 ? waiting.slice(0, end) : waiting;
        waiting = end >= 0 ? waiting.slice(end + 1) : '';
        return input.isTTY ? corrected(line) : line;
      }
      if (ended) return null;
      if (waiting.length > LONGEST) throw new Error(`A password has at most ${LONGEST} characters.`);
      const next = await chunks.next();
      ended = next.done === true;
      if (!next.done) waiting += decoder.write(Buffer.from(next.value as Uint8Array));
      // Ctrl-C or Ctrl-D was pressed.
      if (input.isTTY && ['\u0003', '\u0004'].some((key) => waiting.includes(key)))
        throw new Error('Nothing was done.');
    }
  };
}

/** Applies the backspaces in a line. */
function corrected(line: string): string {
  const letters: string[] = [];
  for (const letter of line) {
    if (letter === '\u007f' || letter === '\b') letters.pop();
    else letters.push(letter);
  }
  return letters.join('');
}
