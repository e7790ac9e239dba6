import { sealCertificate } from '@/modules/certificates/seal/sealing';
import { findUnsealed } from '@/modules/certificates/seal/unsealed';
import { systemScope } from '@/shared/scope';
import { type InngestClient, reservationSigned } from '../client';

/** Seals the certificate of a signature. A manual override has none. */
export const sealCertificateOnSigned = (client: InngestClient) =>
  client.createFunction(
    // Rendering is heavy, and goes on beside requests.
    { id: 'seal-certificate', retries: 8, concurrency: 2, triggers: [reservationSigned] },
    async ({ event, step }) => {
      const { team_id, mode, data } = event.data;
      const { certificate_id } = data;
      if (typeof certificate_id !== 'string') return 'no certificate';
      return step.run('seal', () => sealCertificate(systemScope(team_id, mode, 'seal'), certificate_id));
    },
  );

/** Seals what was left unsealed: a lost event, retries used up, a key that has been replaced. */
export const sealUnsealed = (client: InngestClient) =>
  client.createFunction(
    { id: 'seal-unsealed', retries: 0, concurrency: 1, triggers: [{ cron: '*/5 * * * *' }] },
    async ({ step }) => {
      const unsealed = await step.run('find', async () =>
        (await findUnsealed(50)).map(({ signature_id, scope }) => ({ signature_id, ...scope })),
      );
      const failed: string[] = [];
      for (const { signature_id, team_id, mode } of unsealed) {
        // One that cannot be sealed must not keep the others from it.
        await step
          .run(`seal ${signature_id}`, () => sealCertificate(systemScope(team_id, mode, 'seal'), signature_id))
          .catch((error: Error) => failed.push(`${signature_id}: ${error.message}`));
      }
      if (failed.length > 0)
        throw new Error(`${failed.length} of ${unsealed.length} could not be sealed: ${failed[0]}`);
      return { sealed: unsealed.length };
    },
  );
