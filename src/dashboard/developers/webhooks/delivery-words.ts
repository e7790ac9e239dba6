/** What the server says of a failed attempt in English, in the host’s language; what is not known here as it comes. Pure. */
import type { WordsOf } from '../../i18n/words-of';

/** Its sentences are `said_…` of the messages. */
export const SAID = {
  attempts_failed: /^(?<count>\d+) attempts to deliver (?<event>\w+) failed\.$/,
  no_such_host: /^The host name (?<host>\S+) could not be resolved\.$/,
  no_host: /^The host name could not be resolved\.$/,
  no_tls: /^The TLS connection could not be made \((?<code>\w+)\)\.$/,
  no_answer: /^The server did not answer in time\.$/,
  not_complete: /^The answer was not complete within (?<seconds>\S+) seconds\.$/,
  refused: /^The connection was refused/,
  redirect: /^The server answered with a redirect \((?<status>\d+)\)/,
  private: /^The host’s address is private/,
  closed: /^The server closed the connection/,
  too_large: /^The answer is larger than (?<bytes>\d+) bytes\.$/,
  not_http: /^The server’s answer is not valid HTTP\.$/,
  encoding: /^The answer’s Content-Encoding “(?<encoding>.*)” is not supported\.$/s,
  broken: /^The answer’s compressed body is broken\.$/,
  not_made: /^The attempt could not be made\.$/,
} as const satisfies Record<string, RegExp>;

/** `sentence` as the messages have it, with the numbers and names in it. */
export function deliveryWords(sentence: string, t: WordsOf<'webhooks'>): string {
  for (const [key, pattern] of Object.entries(SAID) as [keyof typeof SAID, RegExp][]) {
    const found = pattern.exec(sentence);
    // What is counted is a number.
    if (found) return t(`said_${key}`, { ...found.groups, count: Number(found.groups?.count) });
  }
  return sentence;
}
