/**
 * The catalogue of errors (specification, "Errors"; design "Error codes"). Services throw `new
 * AppError(code, …)`. The REST bridge and the tRPC error formatter read type, status and default
 * message from this table. The documentation page is generated from it, so every code documents
 * when it happens and what to do.
 */

import { createRefusal, findRefusalForCode, isRefusal, type Refusal } from './refusals/refusal';

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'plan_limit_error'
  | 'api_error';

export interface ErrorDefinition {
  readonly type: ErrorType;
  readonly status: number;
  /** The default public message. Throwing code may replace it with a more exact message. */
  readonly message: string;
  /** When the error occurs, for the documentation. */
  readonly when: string;
  /** What the caller should do, for the documentation. */
  readonly fix: string;
}

const define = (type: ErrorType, status: number, message: string, when: string, fix: string): ErrorDefinition => ({
  type,
  status,
  message,
  when,
  fix,
});

const invalid = (message: string, when: string, fix: string, status = 400) =>
  define('invalid_request_error', status, message, when, fix);
const unauthenticated = (message: string, when: string, fix: string) =>
  define('authentication_error', 401, message, when, fix);
const conflict = (message: string, when: string, fix: string) => define('conflict_error', 409, message, when, fix);
const planLimit = (message: string, when: string, fix: string) => define('plan_limit_error', 402, message, when, fix);

export const ERRORS = {
  // Errors with status 400
  invalid_json: invalid(
    'The request body is not valid JSON.',
    'The body could not be parsed as JSON, is not a JSON object, or contains text that cannot be stored (NUL, lone surrogates).',
    'Send one UTF-8 JSON object.',
  ),
  missing_required_field: invalid(
    'A required field is missing.',
    'A required body field is absent, null or only spaces.',
    'Send the field named in `param`.',
  ),
  invalid_field: invalid(
    'A field is invalid.',
    'A field or query parameter has the wrong type, format, length or value.',
    'Correct the field named in `param`.',
  ),
  unknown_field: invalid(
    'The request has a field that this operation does not know.',
    'The body or the query string contains a name that is not in the reference.',
    'Remove the field named in `param`, or check its spelling.',
  ),
  invalid_date_range: invalid(
    'The dates do not form a valid range.',
    '`checkout_date` is not after `checkin_date`, or a `.gte` filter is after its `.lte`.',
    'Send an end that is after the start.',
  ),
  invalid_cursor: invalid(
    'The cursor does not name an item of this list.',
    '`starting_after` or `ending_before` is not the id of an item this key can see.',
    'Use the id of the first or last item of a page you received.',
  ),
  conflicting_cursors: invalid(
    'Only one of starting_after and ending_before can be used.',
    'The request has both `starting_after` and `ending_before`.',
    'Send only one of them.',
  ),
  idempotency_key_too_long: invalid(
    'The Idempotency-Key is longer than 255 characters.',
    'The `Idempotency-Key` header exceeds 255 characters.',
    'Use a shorter key, a UUID for example.',
  ),
  url_not_https: invalid(
    'The URL must start with https://.',
    'A webhook or feed URL does not start with https://.',
    'Serve the URL over https.',
  ),
  url_not_allowed: invalid(
    'This URL cannot be used.',
    'The URL contains credentials or a port that is not allowed, or points to a private or reserved address.',
    'Use a publicly reachable URL.',
  ),
  unknown_event_type: invalid(
    'An event type is unknown.',
    'The `events` field names a type that is not in the event catalogue.',
    'Use types from the event catalogue, or `["*"]`.',
  ),
  endpoint_auto_disabled: invalid(
    'This endpoint was disabled after repeated failures. Enable it in the dashboard.',
    'The API cannot change the status of an `auto_disabled` endpoint.',
    'Fix the receiver, then enable the endpoint in the dashboard.',
  ),
  endpoint_limit_reached: invalid(
    'This mode already has 16 webhook endpoints.',
    'The mode already has 16 endpoints.',
    'Delete one that you do not need.',
  ),
  test_mode_only: invalid(
    'This is available in test mode only.',
    'A test clock cannot be created with a live key.',
    'Use a test key.',
  ),
  test_clock_limit_reached: invalid(
    'There are already ten test clocks.',
    'The team already has ten test clocks.',
    'Delete one that you do not need.',
  ),
  too_many_items: invalid(
    'The list has too many items.',
    'The list has more than 200 rules or 100 fees.',
    'Send fewer items.',
  ),
  malformed_request: invalid(
    'The request is not valid HTTP.',
    'The request line, a header or the framing of the body is malformed.',
    'Send the request with a maintained HTTP client.',
  ),
  request_timeout: invalid(
    'The request did not arrive completely in time.',
    'Headers or body arrived at less than 8 KiB a second, after a grace period of 10 seconds.',
    'Send the request again, on one connection and without pauses.',
    408,
  ),
  request_too_large: invalid(
    'The request body is larger than 1 MiB.',
    'The body exceeds 1 MiB.',
    'Send a smaller body.',
    413,
  ),
  headers_too_large: invalid(
    'The URL and the headers are larger than 16 KiB together.',
    'The URL, or the URL and the headers together, exceed 16 KiB.',
    'Send a shorter URL or fewer headers.',
    431,
  ),
  unsupported_media_type: invalid(
    'The body must be application/json.',
    'The content type of the body is not `application/json`.',
    'Send `Content-Type: application/json`.',
    415,
  ),
  method_not_allowed: invalid(
    'This path does not support that method.',
    'The path supports only the methods that the `Allow` header lists.',
    'Use one of these methods.',
    405,
  ),

  // Errors with status 401
  api_key_missing: unauthenticated(
    'No API key was given.',
    'There is no `Authorization` header.',
    'Send `Authorization: Bearer <API_KEY>`.',
  ),
  api_key_malformed: unauthenticated(
    'The API key is malformed.',
    'The header is not `Bearer` followed by a key of the form `service_<live|test>_<sk|rk>_…`.',
    'Copy the whole key.',
  ),
  api_key_invalid: unauthenticated(
    'The API key is not valid.',
    'No API key matches.',
    'Check the key, or create another.',
  ),
  api_key_revoked: unauthenticated(
    'The API key was revoked.',
    'The account owner revoked this key.',
    'Use another key.',
  ),
  api_key_expired: unauthenticated(
    'The API key was rotated, and its 24-hour grace period is over.',
    'The key was rotated, and its grace period is over.',
    'Use the new key.',
  ),
  api_key_wrong_environment: unauthenticated(
    'The API key belongs to the other environment.',
    'The environment named in the key is not the one that the key was created for.',
    'Use the key exactly as it was shown at creation.',
  ),

  // Errors with status 402
  plan_required: planLimit(
    'This operation needs the Pro plan.',
    'The team is on the free plan.',
    'Ask the account owner to upgrade.',
  ),
  property_limit_reached: planLimit(
    'The plan’s limit of properties is reached.',
    'The new property would exceed the plan’s limit.',
    'Delete a property or get the add-on.',
  ),
  packet_limit_reached: planLimit(
    'The plan’s limit of active packets for this property is reached.',
    'The new or restored packet would exceed the plan’s limit.',
    'Archive a packet or get the add-on.',
  ),

  // Errors with status 403
  insufficient_scope: define(
    'permission_error',
    403,
    'The API key lacks the required scope.',
    'A restricted key calls an operation outside its scopes, or a member requests something that only the owner may do.',
    'Use a key with the scope that the message names.',
  ),
  ip_not_allowed: define(
    'permission_error',
    403,
    'The API key does not allow this address.',
    'The key has an IP allowlist that does not include the caller’s address.',
    'Call from an allowed address, or change the allowlist.',
  ),

  // Errors with status 404
  resource_missing: define(
    'not_found_error',
    404,
    'No such resource.',
    'The id does not exist, or belongs to another team or to the other mode.',
    'Check the id, and that the key has the mode (live or test) in which the object was created.',
  ),
  route_not_found: define(
    'not_found_error',
    404,
    'No such path.',
    'The path is not part of the API.',
    'Check the path against the reference.',
  ),
  email_preview_unavailable: define(
    'not_found_error',
    404,
    'There is no e-mail preview for this reservation.',
    'The reservation was created with a live key, was not sent, or was sent more than 24 hours ago.',
    'Send the reservation with a test key and read the preview within 24 hours.',
  ),

  // Errors with status 409
  subdomain_taken: conflict(
    'This subdomain is taken.',
    'Another property uses the subdomain.',
    'Choose another subdomain.',
  ),
  custom_domain_taken: conflict(
    'This domain is taken.',
    'Another property uses the domain, and a TXT record proves it.',
    'Choose another domain.',
  ),
  etag_mismatch: conflict(
    'The resource changed since you read it.',
    '`If-Match` does not match the current `ETag`.',
    'Read the resource again, reapply the change and retry.',
  ),
  concurrent_edit: conflict(
    'The resource was changed at the same time. Read it and try again.',
    'Two conflicting changes arrived at the same time, and the other one was applied.',
    'Read the resource, then decide whether the change is still needed.',
  ),
  active_reservations: conflict(
    'The property has active reservations.',
    'The property has reservations whose stay is not over, so it cannot be deleted.',
    'Wait, cancel the reservations, or delete with `force=true`.',
  ),
  packet_in_use: conflict(
    'A reservation references this packet.',
    'A packet that a reservation uses cannot be deleted.',
    'Archive the packet instead.',
  ),
  default_packet: conflict(
    'This is the default packet.',
    'The default packet cannot be deleted or archived while other packets are active.',
    'Make another packet the default first.',
  ),
  last_packet: conflict(
    'This is the only active packet.',
    'The only active packet cannot be deleted or archived.',
    'Create another packet first.',
  ),
  packet_archived: conflict(
    'The packet is archived.',
    'An archived packet cannot be edited, made the default or used for a reservation.',
    'Restore the packet first.',
  ),
  packet_empty: conflict(
    'The house rules have no rules and no fees yet. Add at least one, then send.',
    'The packet has no rules and no fees. Only the dashboard refuses to send such a packet.',
    'Add a rule or a fee to the packet, then send again.',
  ),
  reservation_not_editable: conflict(
    'Only draft or synced reservations can be updated.',
    'The reservation was sent or signed, has expired or is ignored.',
    'Correct the guest’s details with `correct-guest`. For other changes, cancel the reservation and create another.',
  ),
  reservation_not_deletable: conflict(
    'Only draft reservations can be deleted.',
    'A reservation that is not a draft cannot be deleted.',
    'Cancel the reservation instead.',
  ),
  reservation_not_sendable: conflict(
    'The reservation cannot be sent.',
    'The property has no active packet.',
    'Create or restore a packet, then send again.',
  ),
  reservation_not_sent: conflict(
    'The reservation has not been sent yet.',
    'The reservation was never sent, so it cannot be resent.',
    'Send it first.',
  ),
  reservation_already_signed: conflict(
    'The reservation is already signed.',
    'A signed reservation cannot be resent, cancelled or changed in another way.',
    'No action is possible. A signature cannot be undone.',
  ),
  reservation_cancelled: conflict(
    'The reservation was cancelled.',
    'A cancelled or ignored reservation cannot be sent.',
    'Create another reservation, or restore this one in the dashboard.',
  ),
  reservation_expired: conflict(
    'The reservation has expired.',
    'The check-out day is over, so the reservation cannot be sent or cancelled.',
    'Nothing can be sent for a past stay.',
  ),
  test_clock_advancing: conflict(
    'The test clock is being advanced.',
    'The test clock is already being advanced.',
    'Wait until its `status` is `ready`.',
  ),
  stay_ended: conflict(
    'The stay is over.',
    'The check-out day has ended in the property’s time zone.',
    'Nothing can be sent for a past stay.',
  ),
  guest_email_missing: conflict(
    'The guest has no deliverable e-mail address.',
    'A calendar created the reservation without the guest’s address.',
    'Set `guest_email` first.',
  ),
  address_suppressed: conflict(
    'Mail to the guest’s address bounced or was marked as spam, so no more is sent to it.',
    'An earlier mail to the address bounced or was marked as spam.',
    'Send the guest the signing link from `GET /reservations/{id}/copy-link` in another way.',
  ),
  sync_source_disabled: conflict(
    'The calendar is disabled.',
    'A disabled source cannot be run.',
    'Enable it in the dashboard.',
  ),
  sync_in_progress: conflict(
    'The calendar is being synced.',
    'The source is already running.',
    'Wait for the run to end.',
  ),
  sync_not_supported: conflict(
    'This kind of source cannot be run.',
    'A forwarded-mail source cannot be run.',
    'Forward the mail again instead.',
  ),
  legal_hold: conflict(
    'The resource is under legal hold.',
    'An object under legal hold cannot be deleted, cancelled or redacted.',
    'Ask the account owner to lift the hold.',
  ),
  idempotency_key_in_use: conflict(
    'A request with this Idempotency-Key is still running.',
    'The same key arrived again before the first request ended.',
    'Retry after the number of seconds in `Retry-After`.',
  ),

  // Errors with status 410
  certificate_redacted: define(
    'not_found_error',
    410,
    'The certificate was redacted and can no longer be downloaded.',
    'A redacted certificate cannot be downloaded.',
    'No action is possible. The personal data was removed, and only the hashes remain.',
  ),

  // Errors with status 422
  idempotency_key_mismatch: define(
    'idempotency_error',
    422,
    'This Idempotency-Key was used with a different request.',
    'The same key was sent with another body, method or path.',
    'Use a new key for each logical write.',
  ),

  // Errors with status 429
  rate_limit_exceeded: define(
    'rate_limit_error',
    429,
    'Too many requests.',
    'The team’s read or write limit is reached.',
    'Wait for the number of seconds in `Retry-After`.',
  ),

  // Errors with status 5xx
  internal_error: define(
    'api_error',
    500,
    'Something went wrong on our side.',
    'An unexpected error occurred. It was logged under the request id.',
    'Retry with the same Idempotency-Key. If the error persists, write to us with the request id.',
  ),
  service_unavailable: define(
    'api_error',
    503,
    'The service cannot answer right now.',
    'The service is starting or stopping, or its database or file storage is not available.',
    'Retry after the number of seconds in `Retry-After`.',
  ),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

export interface AppErrorOptions {
  /**
   * A message that replaces the catalogue's message for this error. It is public. If it is a
   * Refusal, hosts get it in their language.
   */
  message?: string | Refusal;
  /** The offending field as a dotted path, `fees[0].amount_cents`. */
  param?: string;
  /** The actual cause, which is logged and never returned to the caller. */
  internal?: unknown;
  /** Whole seconds for `Retry-After`. */
  retryAfter?: number;
}

/** The only error that services throw on purpose. `message` is public, and `internal` is not. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly internal: unknown;
  readonly retryAfter: number | null;
  /** The message in a form that can be translated. Null when only API callers read the message. */
  readonly refusal: Refusal | null;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(String(options.message ?? ERRORS[code].message));
    this.name = 'AppError';
    this.refusal = isRefusal(options.message) ? options.message : options.message ? null : findRefusalForCode(code);
    this.code = code;
    this.param = options.param ?? null;
    this.internal = options.internal;
    this.retryAfter = options.retryAfter ?? null;
  }

  get definition(): ErrorDefinition {
    return ERRORS[this.code];
  }
}

/** Creates the error for an id that the team does not have in the request's mode. */
export const createResourceMissingError = (
  { mode }: { mode: string },
  thing: string,
  id: string,
  param?: string,
): AppError =>
  new AppError('resource_missing', { message: createRefusal('no_such_in_mode', { mode, thing, id }), param });

/**
 * Returns whether a thrown value is an AppError, including an AppError of Next's copy of this
 * module.
 */
export function isAppError(value: unknown): value is AppError {
  return value instanceof Error && value.name === 'AppError' && 'code' in value && String(value.code) in ERRORS;
}
