/** Every mail with sample data, for previews in the dashboard. */
import type { RenderedEmail } from './render';

interface SampleSettings {
  /** The guest's language. Mails to owners are in English. */
  locale: string;
  /** The installation's own origin, for sample links. */
  app_url: string;
  now: Date;
}

interface Sample {
  label: string;
  /** Describes the recipient and the occasion. */
  when: string;
  audience: 'guest' | 'owner' | 'account';
  render(settings: SampleSettings): Promise<RenderedEmail>;
}

const DAY_MS = 86_400_000;
const day = (now: Date, offset: number) => new Date(now.getTime() + offset * DAY_MS).toISOString().slice(0, 10);

const stay = ({ locale, app_url, now }: SampleSettings) => ({
  locale,
  guest_name: 'Ada Lovelace',
  property_name: 'Harbour Loft',
  brand_color: '#0f766e',
  logo_url: null,
  sender: { legal_name: 'Harbour Homes Ltd', postal_address: '1 Quay, Porto', contact_email: 'host@example.com' },
  checkin_date: day(now, 3),
  checkout_date: day(now, 7),
  signing_url: `${app_url}/sign/sample`,
  open_pixel_url: null,
  livemode: true,
});

/** Samples by template name, which is also the name in the table mail_messages. */
export const EMAIL_SAMPLES = {
  packet: {
    label: 'House rules',
    when: 'To the guest, when a reservation is sent.',
    audience: 'guest',
    render: async (settings) =>
      (await import('./packet')).renderPacketEmail({
        ...stay(settings),
        welcome_message: 'Hi {{guest_name}}, we look forward to your stay!\nThe harbour is a two-minute walk away.',
      }),
  },
  reminder_24h: {
    label: 'Reminder, 24 hours',
    when: 'To a guest who has not signed, a day before check-in.',
    audience: 'guest',
    render: async (settings) => (await import('./reminder')).renderReminder24hBeforeCheckinEmail(stay(settings)),
  },
  reminder_2h: {
    label: 'Reminder, 2 hours',
    when: 'To a guest who has not signed, two hours before check-in.',
    audience: 'guest',
    render: async (settings) => (await import('./reminder')).renderReminder2hBeforeCheckinEmail(stay(settings)),
  },
  mail_test: {
    label: 'Test of your own text',
    when: 'To a team member who requests it on a property’s “Emails” tab.',
    audience: 'owner',
    render: async (settings) =>
      (await import('./packet')).renderPacketEmail({
        ...stay(settings),
        locale: 'en',
        // The name is null, because the test mail has no guest.
        guest_name: null,
        welcome_message: null,
      }),
  },
  one_time_code: {
    label: 'One-time code',
    when: 'To a guest who confirms an email address, or signs where a code is required.',
    audience: 'guest',
    render: async (settings) =>
      (await import('./one-time-code')).renderOneTimeCodeEmail({
        ...stay(settings),
        code: '048213',
        expires_in_minutes: 10,
      }),
  },
  signed_copy: {
    label: 'Signed copy',
    when: 'To the guest, with the certificate, when it is sealed.',
    audience: 'guest',
    render: async (settings) =>
      (await import('./signing/signed-copy')).renderSignedCopyEmail({
        ...stay(settings),
        copy_url: `${settings.app_url}/c/sample`,
        attached: true,
      }),
  },
  guest_reply: {
    label: 'A guest’s question',
    when: 'To the owner, when a guest asks a question or does not agree, instead of signing.',
    audience: 'owner',
    render: async ({ app_url, now }) =>
      (await import('./signing/guest-reply')).renderGuestReplyEmail({
        kind: 'question',
        guest_name: 'Ada Lovelace',
        property_name: 'Harbour Loft',
        checkin_date: day(now, 3),
        message: 'Is the fee for the dog per night or per stay?',
        answerable: true,
        reservation_url: `${app_url}/reservations`,
      }),
  },
  late_alert: {
    label: 'Guest has not signed',
    when: 'To the owner, at check-in time, when the guest has not signed.',
    audience: 'owner',
    render: async ({ app_url, now }) =>
      (await import('./late-alert')).renderLateSigningAlertEmail({
        property_name: 'Harbour Loft',
        guest_name: 'Ada Lovelace',
        checkin_date: day(now, 0),
        status: 'opened',
        sent_at: new Date(now.getTime() - 3 * DAY_MS),
        timezone: 'Europe/Lisbon',
        reservation_url: `${app_url}/reservations`,
      }),
  },
  sync_failing: {
    label: 'Calendar failing',
    when: 'To the owner, when a calendar could not be read for some time.',
    audience: 'owner',
    render: async ({ app_url, now }) =>
      (await import('./calendar-mails')).renderSyncFailingEmail({
        property_name: 'Harbour Loft',
        source_label: 'Airbnb calendar',
        failing_since: new Date(now.getTime() - DAY_MS / 4),
        failures: 5,
        last_error: 'The calendar returned 404.',
        dashboard_url: `${app_url}/calendars`,
      }),
  },
  sync_cancelled: {
    label: 'Cancelled by a calendar',
    when: 'To the owner, when a calendar sync cancelled reservations.',
    audience: 'owner',
    render: async ({ app_url, now }) =>
      (await import('./calendar-mails')).renderSyncCancelledStaysEmail({
        property_name: 'Harbour Loft',
        source_label: 'Airbnb calendar',
        dashboard_url: `${app_url}/calendars`,
        stays: [{ guest_name: 'Ada Lovelace', checkin_date: day(now, 3), checkout_date: day(now, 7) }],
      }),
  },
  sync_asks: {
    label: 'Calendar needs a decision',
    when: 'To the owner, when a calendar would cancel every upcoming booking, or looks like another listing’s.',
    audience: 'owner',
    render: async ({ app_url, now }) =>
      (await import('./calendar-mails')).renderTooManySyncChangesEmail({
        property_name: 'Harbour Loft',
        source_label: 'Airbnb calendar',
        dashboard_url: `${app_url}/calendars`,
        reason: 'All upcoming bookings are missing from the calendar. Nothing was changed.',
        cancels: [
          { guest_name: 'Ada Lovelace', checkin_date: day(now, 3), checkout_date: day(now, 7) },
          { guest_name: 'Grace Hopper', checkin_date: day(now, 9), checkout_date: day(now, 12) },
        ],
        moves: [],
        creates: [],
      }),
  },
  sync_asks_stays: {
    label: 'Stays need a decision',
    when: 'To the owners, when stays in a calendar no longer match the reservations one to one.',
    audience: 'owner',
    render: async ({ app_url, now }) =>
      (await import('./calendar-mails')).renderAmbiguousStayChangesEmail({
        property_name: 'Harbour Loft',
        source_label: 'Booking.com calendar',
        dashboard_url: `${app_url}/calendars`,
        reason:
          'Some stays in the calendar no longer match the reservations one to one. The reservations were not changed.',
        reservations: [
          { guest_name: 'Ada Lovelace', checkin_date: day(now, 3), checkout_date: day(now, 7) },
          { guest_name: 'Grace Hopper', checkin_date: day(now, 7), checkout_date: day(now, 12) },
        ],
        entries: [{ guest_name: 'Guest', checkin_date: day(now, 3), checkout_date: day(now, 12) }],
      }),
  },
  sync_empty: {
    label: 'Calendar empty',
    when: 'To the owner, when a calendar was empty for three days, but reservations are ahead.',
    audience: 'owner',
    render: async ({ app_url, now }) =>
      (await import('./calendar-mails')).renderEmptyCalendarEmail({
        property_name: 'Harbour Loft',
        source_label: 'Airbnb calendar',
        dashboard_url: `${app_url}/calendars`,
        empty_since: new Date(now.getTime() - 3 * DAY_MS),
        bookings: 4,
      }),
  },
  same_nights: {
    label: 'Double booking',
    when: 'To the owner, once for each pair, when two sources have bookings for the same nights.',
    audience: 'owner',
    render: async ({ app_url }) =>
      (await import('./double-booking')).renderDoubleBookingEmail({
        property_name: 'Harbour Loft',
        pairs: [
          {
            one: {
              guest_name: 'Ada Lovelace',
              checkin_date: '2026-07-01',
              checkout_date: '2026-07-04',
              source_label: 'Airbnb',
            },
            other: {
              guest_name: 'Grace Hopper',
              checkin_date: '2026-07-03',
              checkout_date: '2026-07-08',
              source_label: 'Vrbo',
            },
          },
        ],
        dashboard_url: `${app_url}/reservations`,
      }),
  },
  endpoint_warning: {
    label: 'Webhook endpoint failing',
    when: 'To the owner, when a delivery failed for the third time.',
    audience: 'owner',
    render: async ({ app_url, now }) =>
      (await import('./endpoint/warning')).renderWebhookDeliveryWarningEmail({
        endpoint_url: 'https://example.com/hooks',
        event_type: 'reservation.signed',
        failed_attempts: 3,
        disabled_after: 9,
        last_error: 'HTTP 500',
        next_retry_at: new Date(now.getTime() + 30 * 60_000),
        dashboard_url: `${app_url}/developers/webhooks`,
      }),
  },
  endpoint_disabled: {
    label: 'Webhook endpoint disabled',
    when: 'To the owner, when an endpoint was disabled after nine failures.',
    audience: 'owner',
    render: async ({ app_url, now }) =>
      (await import('./endpoint/disabled')).renderEndpointDisabledEmail({
        endpoint_url: 'https://example.com/hooks',
        failed_attempts: 9,
        failing_since: new Date(now.getTime() - 4 * DAY_MS),
        last_error: 'HTTP 500',
        dashboard_url: `${app_url}/developers/webhooks`,
      }),
  },
  domain_lapsed: {
    label: 'Custom domain no longer in use',
    when: 'To the owner, when the TXT record of a custom domain was missing for hours, or another property verified the domain.',
    audience: 'owner',
    render: async ({ app_url }) =>
      (await import('./domain-lapsed')).renderCustomDomainLapsedEmail({
        domain: 'rules.example.com',
        property_name: 'Harbour Loft',
        reason: 'unproven',
        dashboard_url: `${app_url}/properties`,
      }),
  },
  endpoint_digest: {
    label: 'Daily webhook failures',
    when: 'To the owner, at most once a day, when endpoints did not accept something for over an hour.',
    audience: 'owner',
    render: async ({ app_url }) =>
      (await import('./endpoint/digest')).renderUndeliveredEventsDigestEmail({
        endpoints: [
          { url: 'https://example.com/hooks', undelivered: 12, last_error: 'HTTP 500', disabled: false },
          {
            url: 'https://hooks.example.net/in',
            undelivered: 3,
            last_error: 'The name was not found.',
            disabled: true,
          },
        ],
        dashboard_url: `${app_url}/developers/webhooks`,
      }),
  },
  invitation: {
    label: 'Invitation',
    when: 'To someone who is invited to a team.',
    audience: 'account',
    render: async ({ app_url }) =>
      (await import('./invitation')).renderInvitationEmail({
        team_name: 'Harbour Homes',
        inviter_name: 'Grace Hopper',
        role: 'manager',
        accept_url: `${app_url}/invite/sample`,
        expires_in_days: 7,
      }),
  },
  reset_password: {
    label: 'Password reset',
    when: 'To someone who requested a new password.',
    audience: 'account',
    render: async ({ app_url }) =>
      (await import('./password-reset')).renderPasswordResetEmail({
        reset_url: `${app_url}/reset-password`,
        expires_in_minutes: 60,
      }),
  },
  sign_up_attempt: {
    label: 'Account exists',
    when: 'To an account holder, when someone signs up again with their email address.',
    audience: 'account',
    render: async ({ app_url }) =>
      (await import('./sign-up-attempt')).renderSignUpAttemptEmail({
        sign_in_url: `${app_url}/sign-in`,
        reset_url: `${app_url}/reset-password`,
      }),
  },
  sign_in_failures: {
    label: 'Failed sign-in attempts',
    when: 'To an account holder, when someone tries to guess their password or code. At most once an hour.',
    audience: 'account',
    render: async ({ app_url }) =>
      (await import('./sign-in-failures')).renderSignInFailuresEmail({
        kind: 'password',
        reset_url: `${app_url}/reset-password`,
      }),
  },
  email_change: {
    label: 'New email address',
    when: 'To the new address of an account holder who changes their email address.',
    audience: 'account',
    render: async ({ app_url }) =>
      (await import('./email-change')).renderEmailAddressChangeEmail({
        confirm_url: `${app_url}/change-email`,
        expires_in_minutes: 60,
      }),
  },
  security_change: {
    label: 'Security change',
    when: 'To an account holder, when a passkey, two-factor, the password or the email address changes, when an assistant is connected, and to owners when the sign-in rules of their team change.',
    audience: 'account',
    render: async ({ app_url }) =>
      (await import('./security-change')).renderSecurityChangeEmail({
        change: 'passkey_added',
        subject: 'Chrome on macOS',
        sign_in_url: `${app_url}/sign-in`,
        reset_url: `${app_url}/reset-password`,
      }),
  },
  verify_email: {
    label: 'Email confirmation',
    when: 'To someone who has just signed up.',
    audience: 'account',
    render: async ({ app_url }) =>
      (await import('./email-verification')).renderEmailVerificationEmail({
        verify_url: `${app_url}/confirm-address`,
        expires_in_minutes: 60,
      }),
  },
} as const satisfies Record<string, Sample>;

export type MailTemplateName = keyof typeof EMAIL_SAMPLES;
