/** What the server says of a calendar and its entries in English, in the host's language; what is not known here as it comes. Pure. */
import type { WordsOf } from './words-of';

/** By how each begins, from which the rest follows: `said_…` of the messages. */
export const SAID = {
  reset: /^The calendar answered (?<status>404|410): /,
  denied: /^The calendar answered (?<status>401|403): /,
  cut: /^The calendar answered (?<status>400|422): /,
  when_asked: /^The calendar answered (?<status>429): .* when the channel asked us to\.$/,
  more_slowly: /^The calendar answered (?<status>429): /,
  channels_wait:
    /^The calendar answered (?<status>[5-9]\d\d): the channel has a problem on its side and asked us to wait (?<count>\d+)/,
  unasked: /^The calendar answered (?<status>304): /,
  channels_problem: /^The calendar answered (?<status>[5-9]\d\d): /,
  sent_on: /^The calendar answered (?<status>3\d\d): /,
  that_is_none: /^The calendar answered (?<status>\d+): /,
  not_found: /^The calendar’s server could not be found/,
  no_identity: /^The calendar’s server did not prove/,
  no_answer: /^The calendar did not answer in time/,
  not_accepted: /^The calendar’s server did not accept/,
  too_often: /^The link sent us on/,
  private: /^The link leads to a private address/,
  connection: /^The connection to the calendar/,
  too_large: /^The calendar is larger than/,
  not_understood: /^The calendar’s server answered in a way/,
  too_many: /^The calendar holds more than/,
  nothing: /^The calendar’s address answered with nothing/,
  placeholder: /^The channel answered with a placeholder/,
  web_page: /^The link answered with a web page/,
  no_calendar: /^The link did not answer with a calendar/,
  took_too_long: /^The calendar took too long/,
  too_much_memory: /^The calendar needed too much memory/,
  another_listing: /^The calendar has none of the bookings it had/,
  all_gone: /^All bookings ahead are gone/,
  asked_moved: /^A booking is gone from the calendar, and a new one/,
  asked_rearranged: /^Some stays in the calendar no longer match/,
  broke_off: /^The calendar broke off/,
  empty: /^The calendar is empty now/,
  shrunk: /^The calendar has (?<count>\d+) (?:booking|event)s?, down from (?<was>\d+)/,
  skipped: /^(?<count>\d+) events? could not be read/,
  unknown_words: /^(?<count>\d+) entr(?:y is|ies are) in words that we do not know/,
  not_applied: /^The calendar was read, but could not be applied/,
  unreadable: /^The calendar could not be read/,
  not_whole: /^(?:An event is|(?<count>\d+) events are) not whole/,
  repeats: /^The event repeats more often/,
  same_identity: /^Two events have the same identity/,
  event_unreadable: /^The event cannot be read\.$/,
  event_unreadable_because: /^The event cannot be read: (?<why>.+)$/s,
  no_start: /^The event has no start/,
  no_night: /^The event ends on (?<end>\S+), without a night after (?<start>\S+)\.$/,
  too_many_nights: /^The event lasts (?<nights>\d+) nights, which is more than (?<most>\d+)/,
  rule: /^The event repeats by a rule/,
  parameters: /^A line has more than (?<most>\d+) parameters/,
  no_date: /^“(?<text>.*)” is not a date\.$/s,
  no_time: /^“(?<text>.*)” is not a date and time\.$/s,
  no_instant: /^“(?<text>.*)” is not an instant\.$/s,
  no_duration: /^“(?<text>.*)” is not a duration\.$/s,
  nowhere: /^The duration leads nowhere/,
} as const satisfies Record<string, RegExp>;

const NUMBERS = ['count', 'was'];

/** `message` as the messages have it, with the numbers and names in it. */
export function feedWords(message: string, t: WordsOf<'calendar_health'>): string {
  for (const [key, pattern] of Object.entries(SAID) as [keyof typeof SAID, RegExp][]) {
    const found = pattern.exec(message);
    if (!found) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value = '1']) => [
      name,
      NUMBERS.includes(name) ? Number(value) : value,
    ]);
    return t(`said_${key}`, Object.fromEntries(values));
  }
  return message;
}
