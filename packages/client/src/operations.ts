/**
 * Every operation of the API by its name in the client: method, path, and `body` or `query`. Generated
 * by `npm run openapi`. The type check compares each row with the OpenAPI document.
 */
import { type Group, under } from './under.js';

const READ = {
  list: 'GET ~ query',
  retrieve: 'GET ~/{id}',
} as const;

export const PROPERTIES = under('/properties', {
  list: 'GET ~ query',
  create: 'POST ~ body',
  retrieve: 'GET ~/{id}',
  update: 'PATCH ~/{id} body',
  delete: 'DELETE ~/{id} query',
}) satisfies Group;

export const PACKETS = under('/packets', {
  list: 'GET /properties/{id}/packets',
  create: 'POST /properties/{id}/packets body',
  retrieve: 'GET ~/{id}',
  update: 'PATCH ~/{id} body',
  delete: 'DELETE ~/{id}',
  setDefault: 'POST ~/{id}/set-default',
  archive: 'POST ~/{id}/archive',
  restore: 'POST ~/{id}/restore',
  retrieveDefault: 'GET /properties/{id}/packet',
  replaceDefault: 'PUT /properties/{id}/packet body',
  updateDefault: 'PATCH /properties/{id}/packet body',
}) satisfies Group;

export const RESERVATIONS = under('/reservations', {
  list: 'GET ~ query',
  create: 'POST ~ body',
  retrieve: 'GET ~/{id}',
  update: 'PATCH ~/{id} body',
  delete: 'DELETE ~/{id}',
  send: 'POST ~/{id}/send',
  resend: 'POST ~/{id}/resend',
  correctGuest: 'POST ~/{id}/correct-guest body',
  cancel: 'POST ~/{id}/cancel',
  emailPreview: 'GET ~/{id}/email_preview',
  events: 'GET ~/{id}/events',
  copyLink: 'GET ~/{id}/copy-link',
}) satisfies Group;

export const CERTIFICATES = under('/certificates', {
  list: 'GET ~ query',
  retrieve: 'GET ~/{id}',
  download: 'GET ~/{id}/download',
  disputePack: 'GET ~/{id}/dispute_pack',
}) satisfies Group;

export const SYNC_SOURCES = under('/sync_sources', {
  list: 'GET ~ query',
  retrieve: 'GET ~/{id}',
  run: 'POST ~/{id}/run',
}) satisfies Group;

export const SMS_MESSAGES = under('/sms_messages', READ) satisfies Group;

export const WEBHOOK_ENDPOINTS = under('/webhook_endpoints', {
  list: 'GET ~ query',
  create: 'POST ~ body',
  retrieve: 'GET ~/{id}',
  update: 'PATCH ~/{id} body',
  delete: 'DELETE ~/{id}',
  rotate: 'POST ~/{id}/rotate',
  listDeliveries: 'GET ~/{id}/deliveries query',
  retrieveDelivery: 'GET ~/{id}/deliveries/{evt_id}',
  redeliver: 'POST ~/{id}/deliveries/{evt_id}/redeliver',
}) satisfies Group;

export const TEST_CLOCKS = under('/test_clocks', {
  list: 'GET ~ query',
  create: 'POST ~ body',
  retrieve: 'GET ~/{id}',
  advance: 'POST ~/{id}/advance body',
  delete: 'DELETE ~/{id}',
}) satisfies Group;

export const EVENTS = under('/events', READ) satisfies Group;

export const REQUEST_LOGS = under('/request_logs', READ) satisfies Group;
