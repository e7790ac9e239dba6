/**
 * The command line's resources and their verbs. A verb describes an operation of the client and its
 * input.
 */

export interface Verb {
  /** The name of the client's function. */
  readonly call: string;
  /** The names of required ids, as the help shows them. */
  readonly ids?: readonly string[];
  /** The part of the request that contains the fields: the body or the query. */
  readonly takes?: 'body' | 'query';
  readonly says: string;
}

export interface Resource {
  /** The name of the client's property that contains the operations. */
  readonly group: string;
  readonly says: string;
  /** The columns of the resource's table. */
  readonly columns: readonly string[];
  readonly verbs: Readonly<Record<string, Verb>>;
}

const list = (says: string): Verb => ({ call: 'list', takes: 'query', says });
const get = (says: string): Verb => ({ call: 'retrieve', ids: ['id'], says });
const create = (says: string): Verb => ({ call: 'create', takes: 'body', says });
const update = (says: string): Verb => ({ call: 'update', ids: ['id'], takes: 'body', says });
const remove = (says: string): Verb => ({ call: 'delete', ids: ['id'], says });
const act = (call: string, says: string): Verb => ({ call, ids: ['id'], says });

export const RESOURCES: Readonly<Record<string, Resource>> = {
  properties: {
    group: 'properties',
    says: 'Listings',
    columns: ['id', 'name', 'timezone', 'city', 'created_at'],
    verbs: {
      list: list('List properties'),
      get: get('Show a property'),
      create: create('Create a property: name="Harbour Loft" auto_send_packet:=true'),
      update: update('Change a property: city=Cascais'),
      delete: { ...remove('Delete a property (force:=true also with active reservations)'), takes: 'query' },
    },
  },
  packets: {
    group: 'packets',
    says: 'House rules, fees and arrival details',
    columns: ['id', 'name', 'status', 'is_default', 'updated_at'],
    verbs: {
      list: { call: 'list', ids: ['property_id'], says: 'List a property’s packets' },
      get: get('Show a packet'),
      create: { call: 'create', ids: ['property_id'], takes: 'body', says: 'Add a packet to a property: name=Summer' },
      update: update('Change a packet: \'rules:=[{"text":"No smoking."}]\''),
      'set-default': act('setDefault', 'Make a packet the property’s default'),
      archive: act('archive', 'Archive a packet'),
      restore: act('restore', 'Restore a packet'),
      delete: remove('Delete a packet'),
    },
  },
  reservations: {
    group: 'reservations',
    says: 'Guests’ stays and their signatures',
    columns: ['id', 'status', 'guest_name', 'checkin_date', 'checkout_date', 'arrival_release_state'],
    verbs: {
      list: list('List reservations: status=sent property=prop_…'),
      get: get('Show a reservation'),
      create: create(
        'Create a reservation: property_id=prop_… guest_name="Ada Lovelace" guest_email=… checkin_date=… checkout_date=…',
      ),
      update: update('Change a reservation before it is sent'),
      send: act('send', 'Send the packet to the guest'),
      resend: act('resend', 'Send the packet again, with a new link'),
      'correct-guest': {
        ...act('correctGuest', 'Correct the guest’s details after sending: guest_email=…'),
        takes: 'body',
      },
      cancel: act('cancel', 'Cancel a reservation'),
      delete: remove('Delete a draft'),
      events: act('events', 'Show a reservation’s timeline'),
      link: act('copyLink', 'Show the guest’s links'),
      preview: act('emailPreview', 'Show the mail of a test reservation, which is never sent'),
      // sign-as-guest is a separate command (guest.ts).
    },
  },
  certificates: {
    group: 'certificates',
    says: 'Proofs of signatures',
    columns: ['id', 'reservation_id', 'signed_at', 'pdf_available', 'redacted'],
    verbs: {
      list: list('List certificates'),
      get: get('Show a certificate with its trail'),
      download: act('download', 'Save the sealed PDF: --out certificate.pdf'),
    },
  },
  'sync-sources': {
    group: 'syncSources',
    says: 'Calendars that create reservations',
    columns: ['id', 'kind', 'property_id', 'enabled', 'last_status', 'last_synced_at'],
    verbs: {
      list: list('List sync sources'),
      get: get('Show a sync source'),
      run: act('run', 'Sync a calendar now'),
    },
  },
  webhooks: {
    group: 'webhookEndpoints',
    says: 'Webhook endpoints',
    columns: ['id', 'status', 'url', 'consecutive_failures', 'last_success_at'],
    verbs: {
      list: list('List endpoints'),
      get: get('Show an endpoint'),
      create: create('Create an endpoint: url=https://… \'events:=["reservation.signed"]\''),
      update: update('Change an endpoint: status=disabled'),
      rotate: act('rotate', 'Create a new signing secret'),
      deliveries: { call: 'listDeliveries', ids: ['id'], takes: 'query', says: 'List an endpoint’s delivery attempts' },
      redeliver: { call: 'redeliver', ids: ['id', 'event_id'], says: 'Send an event again' },
      delete: remove('Delete an endpoint'),
    },
  },
  clocks: {
    group: 'testClocks',
    says: 'Test clocks, which set the time of test properties',
    columns: ['id', 'name', 'status', 'frozen_time', 'property_ids'],
    verbs: {
      list: list('List test clocks'),
      get: get('Show a clock'),
      create: create('Create a clock: name="A stay" frozen_time=2030-12-01T09:00:00Z'),
      advance: {
        call: 'advance',
        ids: ['id'],
        takes: 'body',
        says: 'Advance a clock: frozen_time=2030-12-24T15:00:00Z',
      },
      delete: remove('Delete a clock'),
    },
  },
  events: {
    group: 'events',
    says: 'Recorded events',
    columns: ['id', 'type', 'created_at'],
    verbs: { list: list('List events: type=reservation.signed'), get: get('Show an event') },
  },
  logs: {
    group: 'requestLogs',
    says: 'Requests to the API',
    columns: ['id', 'method', 'path', 'status', 'error_code', 'duration_ms', 'created_at'],
    verbs: { list: list('List requests: status=4xx'), get: get('Show a request') },
  },
};

/** The table columns of lists whose items belong to another resource type. */
export const LISTS: Readonly<Record<string, readonly string[]>> = {
  'reservations events': ['type', 'created_at'],
  'webhooks deliveries': ['id', 'event_type', 'attempt_number', 'status', 'status_code', 'duration_ms', 'created_at'],
};
