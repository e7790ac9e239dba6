/** A password that is typed, or handed over on stdin, and so in no shell history and no list of processes. */
import { StringDecoder } from 'node:string_decoder';

const LONGEST = 1_024;

/** What of a terminal's or a pipe's stdin is used. */
export interface Input extends NodeJS.ReadableStream {
  isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
}

/** The first line of what is piped in, or what is typed twice without being shown; null when there is none. Throws when the two differ. */
export async function readPassword(whose: string, input: Input, ask: (text: string) => void): Promise<string | null> {
  const lines = linesOf(input);
  if (!input.isTTY) return (await lines()) || null;
  input.setRawMode?.(true);
  try {
    ask(`${whose}: `);
    const typed = await lines();
    ask(`\n${whose} once more: `);
    const again = await lines();
    ask('\n');
    if (typed !== again) throw new Error('The two are not the same. Nothing was done.');
    return typed || null;
  } finally {
    input.setRawMode?.(false);
    input.pause();
  }
}

/** Gives one line after the other; null at the end. A terminal in raw mode sends each key as it is. */
function linesOf(input: Input): () => Promise<string | null> {
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
      // Ctrl-C and Ctrl-D.
      if (input.isTTY && ['\u0003', '\u0004'].some((key) => waiting.includes(key)))
        throw new Error('Nothing was done.');
    }
  };
}

/** Backspace takes the letter before it away. */
function corrected(line: string): string {
  const letters: string[] = [];
  for (const letter of line) {
    if (letter === '\u007f' || letter === '\b') letters.pop();
    else letters.push(letter);
  }
  return letters.join('');
}
