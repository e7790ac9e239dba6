/** Reads mails off the event loop, with a budget. Their bytes are read nowhere else. */
import { readInThread, stoppedBy } from '@/infra/reader';
import { sha256Hex } from '@/shared/canonical-json';
import { MAX_TEXT } from './mail/limits';
import type { MailJob, ReadMail } from './mail/mail-job';

/** Takes a mail apart and reads what it tells. A mail that is too much keeps its beginning, for the host to look at. */
export async function readMail(job: MailJob): Promise<ReadMail> {
  // A copy that owns its memory, so that it moves to the thread.
  const raw = new Uint8Array(job.raw);
  try {
    return await readInThread({ ...job, type: 'mail', raw }, raw);
  } catch (error) {
    const reason = stoppedBy(error);
    if (reason === null) throw error;
    return { ok: false, reason, message_id: `sha256:${sha256Hex(job.raw)}`, kept: job.raw.slice(0, MAX_TEXT) };
  }
}
