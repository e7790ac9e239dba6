import { availableParallelism } from 'node:os';
import { sealCertificate } from '@/modules/certificates/seal/sealing';
import { createSystemScope } from '@/shared/scope';
import { certificateSealingDueEvent, type InngestClient, reservationSignedEvent } from '../client';

/**
 * Seals the certificate of a signature, including certificates that an earlier run left unsealed. A
 * manual override has no certificate.
 */
export const createSealCertificateFunction = (client: InngestClient) =>
  client.createFunction(
    { id: 'seal-certificate', retries: 8, triggers: [reservationSignedEvent, certificateSealingDueEvent] },
    async ({ event, step }) => {
      const { team_id, mode, data } = event.data;
      const { certificate_id } = data;
      if (typeof certificate_id !== 'string') return { team_id, outcome: 'no certificate' };
      const outcome = await step.run('seal', () =>
        inTurn(() => sealCertificate(createSystemScope(team_id, mode, 'seal'), certificate_id)),
      );
      return { team_id, certificate_id, outcome };
    },
  );

/**
 * Number of certificates that may start rendering now. The limit is one per processor, because
 * rendering competes with requests for processor time.
 */
let free = availableParallelism();
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}
