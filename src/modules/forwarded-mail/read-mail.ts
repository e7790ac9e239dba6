/** Parses mails off the event loop, with a time and memory budget. */
import { getStopReason, runReaderJob } from '@/infra/reader';
import { sha256Hex } from '@/shared/canonical-json';
import { MAX_TEXT } from './mail/limits';
import type { MailJob, ReadMail } from './mail/mail-job';

/**
 * Parses a mail and extracts its facts. For a mail beyond the budget, only the first MAX_TEXT bytes
 * are kept.
 */
export async function readMail(job: MailJob): Promise<ReadMail> {
  // A copy that owns its memory, so that it can be transferred to the thread.
  const raw = new Uint8Array(job.raw);
  try {
    return await runReaderJob({ ...job, type: 'mail', raw }, raw);
  } catch (error) {
    const reason = getStopReason(error);
    if (reason === null) throw error;
    return { ok: false, reason, message_id: `sha256:${sha256Hex(job.raw)}`, kept: job.raw.slice(0, MAX_TEXT) };
  }
}
