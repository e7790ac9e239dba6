/** Subscribes the browser to notifications (W3C Push API). public/push-worker.js shows them. */
import type { ProcedureInputs } from '../trpc';

export type PushSubscriptionFailure = 'denied' | 'unreachable';

/**
 * Returns whether the browser supports notifications. They need HTTPS, and on an iPhone an app on
 * the Home Screen.
 */
export const isBrowserPushSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/**
 * Asks the user for permission and subscribes to the browser's push service. Browsers only allow
 * this after a click.
 */
export async function subscribeBrowserToPush(
  public_key: string,
): Promise<ProcedureInputs['push']['turn_on'] | PushSubscriptionFailure> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  try {
    await navigator.serviceWorker.register('/push-worker.js');
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
    const subscription = await subscribe().catch(async (error: Error) => {
      // Replaces a subscription that was made with an earlier key of this server. A subscription
      // with the current key causes no error.
      if (error.name !== 'InvalidStateError') throw error;
      await (await pushManager.getSubscription())?.unsubscribe();
      return subscribe();
    });
    const { endpoint = '', keys } = subscription.toJSON();
    return { endpoint, p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' };
  } catch {
    return 'unreachable';
  }
}
