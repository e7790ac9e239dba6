/** What is said at the page's edge, kept until there is something to show it (toast-frame.tsx). */
import type { ExternalToast } from 'sonner';

type Kind = 'message' | 'success' | 'error' | 'warning' | 'dismiss';

interface Waiting {
  kind: Kind;
  /** Its id, where it is to go. */
  text: string;
  options: ExternalToast | undefined;
}

/** Said before there was anything to show it. */
let waiting: Waiting[] = [];
let show: ((said: Waiting) => void) | null = null;
let wanted: (() => void) | null = null;

/** A message with a button stays long enough to be read and pressed. */
const WITH_ACTION_MS = 12_000;

function say(kind: Kind, text: string, given?: ExternalToast): void {
  const options = given?.action ? { duration: WITH_ACTION_MS, ...given } : given;
  const said = { kind, text, options };
  if (show) show(said);
  else {
    waiting.push(said);
    wanted?.();
  }
}

export const toast = Object.assign((text: string, options?: ExternalToast) => say('message', text, options), {
  success: (text: string, options?: ExternalToast) => say('success', text, options),
  error: (text: string, options?: ExternalToast) => say('error', text, options),
  warning: (text: string, options?: ExternalToast) => say('warning', text, options),
  dismiss: (id: string) => say('dismiss', id),
});

/** Does something when there is something to show, at once where there is. */
export function whenWanted(show_list: () => void): void {
  wanted = show_list;
  if (waiting.length > 0) show_list();
}

/** `list` shows from now on what is said, and what was said before. */
export function toastsGoTo(list: ((said: Waiting) => void) | null): void {
  show = list;
  if (!list) return;
  const early = waiting;
  waiting = [];
  for (const said of early) list(said);
}
