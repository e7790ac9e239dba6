/** Stores the host's answer to a run's question, and starts a run that applies the answer. */

import { inTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createRefusal, type UntranslatedResult } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as host from './host.repository';
import type { CalendarQuestionAnswerInput, SourceDetail } from './host.schemas';
import { retrieveSourceDetail } from './host.service';
import { hostQuestionsColumn } from './json-columns.schemas';
import { applyHostCalendarAnswer } from './plan/calendar-question';
import { answerStayQuestion } from './plan/stay-questions';
import { runSource } from './run/run';
import { retrieveSource } from './service';

/**
 * Stores the answer, runs the calendar and returns the source after the run. When a run is in
 * progress, or the calendar cannot be read, the next run applies the answer. Throws
 * resource_missing, sync_source_disabled, and concurrent_edit when the question has changed.
 */
export async function answerCalendarQuestion(
  scope: Scope,
  { id, answer: given, since, key }: CalendarQuestionAnswerInput,
): Promise<UntranslatedResult<SourceDetail>> {
  await inTransaction(scope, async () => {
    await retrieveSource(scope, id);
    const row = await host.lockSource(scope, id);
    if (!row.enabled) throw new AppError('sync_source_disabled');
    const held = hostQuestionsColumn.read(row.held);
    const stays = key === undefined ? undefined : held.asked?.find((ask) => ask.key === key && ask.answer === null);
    const asked = key === undefined ? held.question : stays;
    if (given !== 'ask_again' && (!asked || asked.since !== since))
      throw new AppError('concurrent_edit', { message: createRefusal('calendar_has_changed') });
    const now = clock().now();
    await host.saveSource(scope, id, {
      held: hostQuestionsColumn.write(
        stays && given !== 'ask_again'
          ? answerStayQuestion(held, stays.key, given === 'apply' ? 'follow' : 'keep')
          : applyHostCalendarAnswer(held, given),
      ),
      // Without a fingerprint, the next run plans again even if the calendar is unchanged.
      fingerprint: null,
      next_run_at: now,
      updated_at: now,
    });
  });
  await runSource(scope, id, 'forced').catch((error) => {
    if (!(error instanceof AppError && error.code === 'sync_in_progress')) throw error;
  });
  return retrieveSourceDetail(scope, id);
}
