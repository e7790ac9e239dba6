/** Shows toasts, and queues them until toast-frame.tsx has loaded the list. */
import type { ExternalToast } from 'sonner';

type Kind = 'message' | 'success' | 'error' | 'warning' | 'dismiss';

interface Waiting {
  kind: Kind;
  /** The text of the toast. For `dismiss`, the id of the toast. */
  text: string;
  options: ExternalToast | undefined;
}

/** Toasts that were requested before the list was loaded. */
let waiting: Waiting[] = [];
let show: ((said: Waiting) => void) | null = null;
let wanted: (() => void) | null = null;

/** A toast with a button stays longer, so that users can read it and click the button. */
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

/**
 * Registers `show_list`, which is called when the first toast is requested, or at once if a toast
 * is queued.
 */
export function callWhenFirstToastIsRequested(show_list: () => void): void {
  wanted = show_list;
  if (waiting.length > 0) show_list();
}

/** Sends queued and future toasts to `list`. With null, future toasts are queued. */
export function setToastListener(list: ((said: Waiting) => void) | null): void {
  show = list;
  if (!list) return;
  const early = waiting;
  waiting = [];
  for (const said of early) list(said);
}
