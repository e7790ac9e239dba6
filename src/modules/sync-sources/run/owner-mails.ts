/** Renders mails to a team's owners about a calendar's runs, outside any transaction. */

import { config } from '@/config';
import {
  renderAmbiguousStayChangesEmail,
  renderEmptyCalendarEmail,
  renderSyncCancelledStaysEmail,
  renderSyncFailingEmail,
  renderTooManySyncChangesEmail,
} from '@/emails/calendar-mails';
import type { SyncSource } from '@/generated/prisma/client';
import { findOwnerEmailAddresses } from '@/modules/accounts/team.service';
import type { RenderedMail } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { createRefusalFromKeyAndValues } from '@/shared/refusals/refusal';
import {
  calendarQuestionsAndHostAnswersJsonColumn,
  type ProposedSyncChange,
  type QuestionToHostAboutCalendar,
  type StoredStayQuestion,
} from '../json-columns.schemas';
import type { StoredBooking } from '../plan/match-bookings';
import type { SyncPlan } from '../plan/planner';
import type { DashboardSyncSourceKind } from '../schemas';
import type { SyncRunPropertyColumns } from './lease.repository';
import {
  describeStaysAwaitingHostDecision,
  describeWhyRunAskedHostAboutCalendar,
  type SyncRunOutcome,
} from './outcome-messages';
import { shouldMailAboutEmptyCalendar, shouldMailOwnerAboutFailure } from './schedule.rules';

export interface SyncMailToOwner {
  readonly template: 'sync_failing' | 'sync_cancelled' | 'sync_asks' | 'sync_asks_stays' | 'sync_empty';
  readonly recipients: readonly string[];
  readonly content: RenderedMail;
}

interface About {
  readonly source: SyncSource;
  readonly property: SyncRunPropertyColumns;
}

/**
 * A run's mails, and a key that identifies their content. A plan with another key needs other
 * mails.
 */
export interface SyncRunMails {
  readonly key: string;
  readonly mails: readonly SyncMailToOwner[];
}

interface News {
  readonly cancelled: readonly string[];
  readonly question: QuestionToHostAboutCalendar | null;
  /** New questions to the host about particular stays. */
  readonly asked: readonly StoredStayQuestion[];
  readonly empty_since: Date | null;
}

const keyOf = ({ cancelled, question, asked: stays, empty_since }: News) => {
  const { since: _, ...asked } = question ?? { since: null };
  return JSON.stringify([cancelled, asked, stays.map(({ key }) => key), empty_since]);
};

/** The result for a plan without news: no mails. */
export const EMPTY_SYNC_RUN_MAILS: SyncRunMails = {
  key: keyOf({ cancelled: [], question: null, asked: [], empty_since: null }),
  mails: [],
};

/** Returns whether the mails belong to this plan. */
export const doesOwnerMailSetMatchSyncPlan = ({ key }: SyncRunMails, source: SyncSource, plan: SyncPlan) =>
  key === keyOf(newsOf(source, plan, clock().now()));

/** Returns the facts that the owner mails report about a plan. */
function newsOf(source: SyncSource, plan: SyncPlan, now: Date): News {
  const before = calendarQuestionsAndHostAnswersJsonColumn.read(source.held).question;
  const { question } = plan.held;
  // A question is mailed only when it is first asked, not while it is still open or after an
  // answer.
  const is_new = question !== null && !question.apply && (before === null || before.apply);
  const asked_before = new Set(
    (calendarQuestionsAndHostAnswersJsonColumn.read(source.held).asked ?? []).map(({ key }) => key),
  );
  return {
    cancelled: plan.cancels.map(({ id }) => id),
    question: is_new ? question : null,
    asked: (plan.held.asked ?? []).filter(({ key, answer }) => answer === null && !asked_before.has(key)),
    empty_since: shouldMailAboutEmptyCalendar(source, plan, now) ? source.empty_since : null,
  };
}

/** Renders the mails to the owners about the changes and questions of a plan. */
export async function renderSyncRunMails(
  about: About,
  { plan, known, current }: { plan: SyncPlan; known: readonly StoredBooking[]; current: SyncSource },
): Promise<SyncRunMails> {
  const news = newsOf(current, plan, clock().now());
  const recipients = await findOwnerEmailAddresses(about.source.team_id);
  const by_id = new Map(known.map((row) => [row.id, row]));
  const props = propsOf(about);
  const mails: SyncMailToOwner[] = [];
  if (news.cancelled.length > 0) {
    const stays = news.cancelled.flatMap((id) => by_id.get(id) ?? []);
    mails.push({
      template: 'sync_cancelled',
      recipients,
      content: await renderSyncCancelledStaysEmail({ ...props, stays }),
    });
  }
  if (news.question) {
    const { would } = news.question;
    const named = (...kinds: ProposedSyncChange['what'][]) =>
      would
        .filter(({ what }) => kinds.includes(what))
        .map((one) => ({
          ...one,
          guest_name: one.guest_name ?? by_id.get(one.reservation_id ?? '')?.guest_name ?? null,
        }));
    const content = await renderTooManySyncChangesEmail({
      ...props,
      reason: String(describeWhyRunAskedHostAboutCalendar(news.question)),
      cancels: named('cancel'),
      moves: named('move'),
      creates: named('restore', 'create'),
    });
    mails.push({ template: 'sync_asks', recipients, content });
  }
  if (news.asked.length > 0) {
    const content = await renderAmbiguousStayChangesEmail({
      ...props,
      reason: String(describeStaysAwaitingHostDecision(news.asked)),
      reservations: news.asked.flatMap(({ rows }) => rows.flatMap((id) => by_id.get(id) ?? [])),
      entries: news.asked.flatMap(({ entries }) => [...entries]),
    });
    mails.push({ template: 'sync_asks_stays', recipients, content });
  }
  if (news.empty_since) {
    const content = await renderEmptyCalendarEmail({ ...props, empty_since: news.empty_since, bookings: plan.missing });
    mails.push({ template: 'sync_empty', recipients, content });
  }
  return { key: keyOf(news), mails };
}

/** Returns the mail about a failure that has lasted for a day, if the mail is due. */
export async function renderSyncFailureMails(
  about: About,
  outcome: SyncRunOutcome,
  now: Date,
): Promise<SyncMailToOwner[]> {
  const { source } = about;
  const failing_since = source.failing_since ?? now;
  if (!outcome.failed || !shouldMailOwnerAboutFailure({ ...source, failing_since }, now)) return [];
  const recipients = await findOwnerEmailAddresses(source.team_id);
  const content = await renderSyncFailingEmail({
    ...propsOf(about),
    failing_since,
    failures: source.consecutive_failures + 1,
    last_error: outcome.last_error && String(createRefusalFromKeyAndValues(outcome.last_error)),
  });
  return [{ template: 'sync_failing', recipients, content }];
}

/** Returns the name of a source in mails: "Airbnb calendar". */
function labelOf(kind: DashboardSyncSourceKind): string {
  if (kind === 'forward_email') return 'Forwarded mail';
  if (kind === 'other_ical') return 'Other calendar';
  return `${config().channel_names[kind.replace('_ical', '') as keyof ReturnType<typeof config>['channel_names']]} calendar`;
}

const propsOf = ({ source, property }: About) => ({
  property_name: property.name,
  source_label: labelOf(source.kind as DashboardSyncSourceKind),
  dashboard_url: `${config().app_url}/calendars/${source.id}`,
});
