/** Stores the host's answer to a run's question, and starts a run that applies the answer. */

import { inTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createRefusal, type ResultWithUntranslatedRefusals } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as host from './host.repository';
import type { CalendarQuestionAnswerInput, SyncSourceDetail } from './host.schemas';
import { retrieveSyncSourceDetail } from './host.service';
import { calendarQuestionsAndHostAnswersJsonColumn } from './json-columns.schemas';
import { applyHostAnswerAboutCalendar } from './plan/calendar-question';
import { setHostAnswerToStayQuestion } from './plan/stay-questions';
import { runSyncOfSource } from './run/run';
import { retrieveSyncSource } from './service';

/**
 * Stores the answer, runs the calendar and returns the source after the run. When a run is in
 * progress, or the calendar cannot be read, the next run applies the answer. Throws
 * resource_missing, sync_source_disabled, and concurrent_edit when the question has changed.
 */
export async function storeHostAnswerAndRunCalendar(
  scope: Scope,
  { id, answer: given, since, key }: CalendarQuestionAnswerInput,
): Promise<ResultWithUntranslatedRefusals<SyncSourceDetail>> {
  await inTransaction(scope, async () => {
    await retrieveSyncSource(scope, id);
    const row = await host.lockSyncSource(scope, id);
    if (!row.enabled) throw new AppError('sync_source_disabled');
    const held = calendarQuestionsAndHostAnswersJsonColumn.read(row.held);
    const stays = key === undefined ? undefined : held.asked?.find((ask) => ask.key === key && ask.answer === null);
    const asked = key === undefined ? held.question : stays;
    if (given !== 'ask_again' && (!asked || asked.since !== since))
      throw new AppError('concurrent_edit', { message: createRefusal('calendar_has_changed') });
    const now = clock().now();
    await host.saveSyncSource(scope, id, {
      held: calendarQuestionsAndHostAnswersJsonColumn.write(
        stays && given !== 'ask_again'
          ? setHostAnswerToStayQuestion(held, stays.key, given === 'apply' ? 'follow' : 'keep')
          : applyHostAnswerAboutCalendar(held, given),
      ),
      // Without a fingerprint, the next run plans again even if the calendar is unchanged.
      fingerprint: null,
      next_run_at: now,
      updated_at: now,
    });
  });
  await runSyncOfSource(scope, id, 'forced').catch((error) => {
    if (!(error instanceof AppError && error.code === 'sync_in_progress')) throw error;
  });
  return retrieveSyncSourceDetail(scope, id);
}
