/** Shows toasts, and queues them until toast-frame.tsx has loaded the list. */
import type { ExternalToast } from 'sonner';

type Kind = 'message' | 'success' | 'error' | 'warning' | 'dismiss';

interface Waiting {
  kind: Kind;
  /** For `dismiss`, the id of the toast. */
  text: string;
  options: ExternalToast | undefined;
}

/** Toasts from before the list had loaded. */
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

/** Runs `show_list` when the first toast is requested, or at once if there is one already. */
export function onFirstToast(show_list: () => void): void {
  wanted = show_list;
  if (waiting.length > 0) show_list();
}

/** Sends queued and future toasts to `list`. */
export function setToastList(list: ((said: Waiting) => void) | null): void {
  show = list;
  if (!list) return;
  const early = waiting;
  waiting = [];
  for (const said of early) list(said);
}
