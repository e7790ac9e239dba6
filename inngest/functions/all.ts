/** Every durable function of the product, made for a client. */
import type { InngestFunction } from 'inngest';
import type { Relay } from '@/events/relay';
import type { InngestClient } from '../client';
import { mailDelivery } from './mail-delivery';
import { queueSweep } from './queue-sweep';
import { sealCertificateOnSigned, sealUnsealed } from './seal-certificate';
import { webhookDelivery } from './webhook-delivery';

export interface FunctionDeps {
  relay: Pick<Relay, 'run'>;
  /** Removes the embedded engine's finished runs from before a moment; null with a real Inngest server. */
  pruneEngine: ((older_than: Date) => Promise<unknown>) | null;
}

export function createFunctions(client: InngestClient, { relay }: FunctionDeps): InngestFunction.Any[] {
  return [
    webhookDelivery(client),
    queueSweep(client, relay),
    sealCertificateOnSigned(client),
    sealUnsealed(client),
    mailDelivery(client),
  ];
}
