/**
 * What this browser has to do with notifications (W3C Push API); public/push-worker.js shows them.
 */
import type { Inputs } from '../trpc';

export type PushTrouble = 'denied' | 'unreachable';

/** Not without HTTPS, and on an iPhone only from the Home Screen. */
export const canNotify = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Asks the person, on whose press this has to be, and then the browser's push service. */
export async function subscribeBrowser(public_key: string): Promise<Inputs['push']['turn_on'] | PushTrouble> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  try {
    await navigator.serviceWorker.register('/push-worker.js');
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
    const subscription = await subscribe().catch(async (error: Error) => {
      // One with an earlier key of this server is of no use any more. One with its key is what is given again.
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
