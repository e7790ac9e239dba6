/**
 * Every operation of the API under the name it has here. A row says method and path as the OpenAPI document does, and whether a body or a
 * query comes with it. The compiler holds each row to the document; a test, that none is missing.
 */
import type { Route } from './types.js';

type Group = Readonly<Record<string, Route>>;

export const PROPERTIES = {
  list: 'GET /properties query',
  create: 'POST /properties body',
  retrieve: 'GET /properties/{id}',
  update: 'PATCH /properties/{id} body',
  delete: 'DELETE /properties/{id} query',
} as const satisfies Group;

export const PACKETS = {
  list: 'GET /properties/{id}/packets',
  create: 'POST /properties/{id}/packets body',
  retrieve: 'GET /packets/{id}',
  update: 'PATCH /packets/{id} body',
  delete: 'DELETE /packets/{id}',
  setDefault: 'POST /packets/{id}/set-default',
  archive: 'POST /packets/{id}/archive',
  restore: 'POST /packets/{id}/restore',
  retrieveDefault: 'GET /properties/{id}/packet',
  replaceDefault: 'PUT /properties/{id}/packet body',
  updateDefault: 'PATCH /properties/{id}/packet body',
} as const satisfies Group;

export const RESERVATIONS = {
  list: 'GET /reservations query',
  create: 'POST /reservations body',
  retrieve: 'GET /reservations/{id}',
  update: 'PATCH /reservations/{id} body',
  delete: 'DELETE /reservations/{id}',
  send: 'POST /reservations/{id}/send',
  resend: 'POST /reservations/{id}/resend',
  cancel: 'POST /reservations/{id}/cancel',
  emailPreview: 'GET /reservations/{id}/email_preview',
  events: 'GET /reservations/{id}/events',
  copyLink: 'GET /reservations/{id}/copy-link',
} as const satisfies Group;

export const CERTIFICATES = {
  list: 'GET /certificates query',
  retrieve: 'GET /certificates/{id}',
  download: 'GET /certificates/{id}/download',
  disputePack: 'GET /certificates/{id}/dispute_pack',
} as const satisfies Group;

export const SYNC_SOURCES = {
  list: 'GET /sync_sources query',
  retrieve: 'GET /sync_sources/{id}',
  run: 'POST /sync_sources/{id}/run',
} as const satisfies Group;

export const SMS_MESSAGES = {
  list: 'GET /sms_messages query',
  retrieve: 'GET /sms_messages/{id}',
} as const satisfies Group;

export const WEBHOOK_ENDPOINTS = {
  list: 'GET /webhook_endpoints query',
  create: 'POST /webhook_endpoints body',
  retrieve: 'GET /webhook_endpoints/{id}',
  update: 'PATCH /webhook_endpoints/{id} body',
  delete: 'DELETE /webhook_endpoints/{id}',
  rotate: 'POST /webhook_endpoints/{id}/rotate',
  listDeliveries: 'GET /webhook_endpoints/{id}/deliveries query',
  retrieveDelivery: 'GET /webhook_endpoints/{id}/deliveries/{evt_id}',
  redeliver: 'POST /webhook_endpoints/{id}/deliveries/{evt_id}/redeliver',
} as const satisfies Group;
