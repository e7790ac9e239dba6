import { heartbeat, type InngestClient } from '../client';

/** Does nothing: that a real Inngest server calls it shows that the server takes events and reaches this application. */
export const answerHeartbeat = (client: InngestClient) =>
  client.createFunction({ id: 'heartbeat', retries: 0, triggers: [heartbeat] }, async () => ({}));
