/** The exports of the package. */
export { Threshold } from './client.js';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PlanLimitError,
  RateLimitError,
  ThresholdError,
  TimeoutError,
} from './errors.js';
export { List, type Page } from './list.js';
export { type ResponseFacts, responseOf, type ThresholdOptions } from './transport.js';
export type * from './types.js';
export { type VerifyOptions, type WebhookHeaders, WebhookSignatureError, webhooks } from './webhooks.js';
