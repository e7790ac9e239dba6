/** Parses mails in a thread, with a time limit and a memory limit. */
import { getParserStopReason, runParserJob } from '@/infra/parser-pool';
import { sha256Hex } from '@/shared/canonical-json';
import { MAX_MAIL_PART_TEXT_LENGTH } from './mail/limits';
import type { MailParseJob, MailParseJobResult } from './mail/mail-job';

/**
 * Parses a mail and extracts its facts. If a mail exceeds the time or memory limit, only its first
 * MAX_MAIL_PART_TEXT_LENGTH bytes are stored.
 */
export async function parseMailInWorker(job: MailParseJob): Promise<MailParseJobResult> {
  // The message is copied, because the buffer is transferred to the thread.
  const raw = new Uint8Array(job.raw);
  try {
    return await runParserJob({ ...job, type: 'mail', raw }, raw);
  } catch (error) {
    const reason = getParserStopReason(error);
    if (reason === null) throw error;
    return {
      ok: false,
      reason,
      message_id: `sha256:${sha256Hex(job.raw)}`,
      kept: job.raw.slice(0, MAX_MAIL_PART_TEXT_LENGTH),
    };
  }
}
