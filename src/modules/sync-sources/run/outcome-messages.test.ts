import { describe, expect, it } from 'vitest';
import type { OutboundErrorKind } from '@/infra/outbound/errors';
import { createRefusalFromKeyAndValues } from '@/shared/refusals/refusal';
import { splitFeedIntoEvents } from '../feed/text';
import {
  buildSyncOutcomeForFailedFeedFetch,
  buildSyncOutcomeForFeedFailure,
  buildSyncOutcomeForHttpStatus,
  buildSyncOutcomeForSuccessfulFeedRead,
  type SyncRunOutcome,
} from './outcome-messages';

const textOf = ({ last_error }: SyncRunOutcome) => String(last_error && createRefusalFromKeyAndValues(last_error));

describe('the message to the host', () => {
  it('mentions a reset link on 404', () => {
    expect(textOf(buildSyncOutcomeForHttpStatus(404))).toMatch(
      /^The calendar returned 404\. The link was probably reset in the channel’s settings\./,
    );
  });
  it.each([
    [301, 'link_invalid'],
    [400, 'link_invalid'],
    [401, 'access_denied'],
    [403, 'access_denied'],
    [404, 'link_invalid'],
    [410, 'link_invalid'],
    [418, 'failed'],
    [429, 'rate_limited'],
    [500, 'channel_error'],
    [503, 'channel_error'],
  ])('on HTTP %i states the code, and the run fails with %s', (status, last_status) => {
    const outcome = buildSyncOutcomeForHttpStatus(status);
    expect(outcome).toMatchObject({ last_status, failed: true });
    expect(textOf(outcome)).toMatch(new RegExp(`^The calendar returned ${status}\\b.+\\.$`));
  });
  it('states the wait that the channel requested', () => {
    expect(textOf(buildSyncOutcomeForHttpStatus(503, '120', 120_000))).toContain('asked us to wait 2 minutes');
    expect(textOf(buildSyncOutcomeForHttpStatus(503))).toContain('usually resolves itself');
  });
  it('blames the channel for a 304 to an unconditional request', () => {
    expect(buildSyncOutcomeForHttpStatus(304)).toMatchObject({ last_status: 'channel_error', failed: true });
    expect(textOf(buildSyncOutcomeForHttpStatus(304))).not.toContain('another address');
  });
  it('states how many entries were skipped for unknown words', () => {
    const run = { health_reason: null, question: null, booking_count: 1, last_healthy_count: 1, problem_count: 0 };
    expect(buildSyncOutcomeForSuccessfulFeedRead({ ...run, unknown_count: 2 })).toMatchObject({
      last_status: 'ok_with_problems',
    });
    expect(textOf(buildSyncOutcomeForSuccessfulFeedRead({ ...run, unknown_count: 2 }))).toMatch(
      /^2 entries .* skipped/,
    );
  });
  it.each<OutboundErrorKind>([
    'dns',
    'tls',
    'timeout',
    'refused',
    'redirect',
    'blocked_address',
    'reset',
    'body_too_large',
    'protocol',
  ])('explains a fetch that failed with %s in plain words without codes', (kind) => {
    const outcome = buildSyncOutcomeForFailedFeedFetch(kind);
    expect(outcome.failed).toBe(true);
    expect(textOf(outcome)).toMatch(/^The .+\.$/);
    expect(textOf(outcome)).not.toMatch(/[A-Z]{4,}|_/);
  });
  it('distinguishes a web page from a calendar', () => {
    const failure = splitFeedIntoEvents(new TextEncoder().encode('<!doctype html><p>Log in'));
    if (failure.ok) throw new Error('opened');
    expect(buildSyncOutcomeForFeedFailure(failure)).toMatchObject({ last_status: 'not_a_calendar', failed: true });
  });
  it.each([
    ['not_whole', 3, 5, 0, 'incomplete'],
    ['no_events', 0, 5, 0, 'empty'],
    ['shrunk', 2, 9, 0, 'shrunk'],
    [null, 9, 9, 1, 'ok_with_problems'],
    [null, 9, 9, 2, 'ok_with_problems'],
  ] as const)(
    'reports the calendar’s health (%s) without counting the run as failed',
    (health_reason, booking_count, last, problem_count, status) => {
      const outcome = buildSyncOutcomeForSuccessfulFeedRead({
        health_reason,
        question: null,
        booking_count,
        last_healthy_count: last,
        problem_count,
      });
      expect(outcome).toMatchObject({ last_status: status, failed: false });
      expect(textOf(outcome)).toMatch(/\.$/);
    },
  );
  it('is absent after a successful run and for a new listing’s empty calendar', () => {
    const good = { health_reason: null, question: null, booking_count: 4, last_healthy_count: 4, problem_count: 0 };
    expect(buildSyncOutcomeForSuccessfulFeedRead(good)).toEqual({ last_status: 'ok', last_error: null, failed: false });
    expect(
      buildSyncOutcomeForSuccessfulFeedRead({ ...good, health_reason: 'no_events', last_healthy_count: null })
        .last_error,
    ).toBeNull();
  });
});
