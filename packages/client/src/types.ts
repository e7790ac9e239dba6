/**
 * The types of the API. They are derived from schema.ts, which openapi-typescript generates from
 * the OpenAPI document.
 */
import type { List } from './list.js';
import type { components, paths } from './schema.js';

/** Every schema of the OpenAPI document, by name. */
export type Schemas = components['schemas'];

export type Property = Schemas['Property'];
export type PropertyCreate = Schemas['PropertyCreate'];
export type Packet = Schemas['Packet'];
export type Reservation = Schemas['Reservation'];
export type ReservationCreate = Schemas['ReservationCreate'];
export type Certificate = Schemas['Certificate'];
export type CertificateWithTrail = Schemas['CertificateWithTrail'];
export type SyncSource = Schemas['SyncSource'];
export type TestClock = Schemas['TestClock'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookDelivery = Schemas['WebhookDelivery'];

/** The body of a delivery. `type` determines the shape of `data`. */
export type Event = Schemas['Event'];
export type EventType = Event['type'];
/** An event of one type, such as `EventOf<'reservation.signed'>`. */
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;

export type ErrorType = Schemas['Error']['error']['type'];
/** The error codes known to this version. The API may add codes. */
export type ErrorCode = Schemas['Error']['error']['code'];

/** Options of a single call. */
export interface RequestOptions {
  /**
   * The idempotency key of a POST or PATCH. Pass a key that you stored with your job. By default
   * the client generates a key that all attempts of the call share.
   */
  readonly idempotencyKey?: string;
  /**
   * The write fails unless the resource still has this ETag
   * (`responseOf(resource).headers.get('etag')`).
   */
  readonly ifMatch?: string;
  /** Aborts the call, including waits between attempts. */
  readonly signal?: AbortSignal;
  /** The timeout of each attempt. */
  readonly timeoutMs?: number;
  /** The maximum number of retries after the first attempt. */
  readonly maxRetries?: number;
}

type Json<Body> = { content: { 'application/json': Body } };
type IdsOf<Path> = Path extends `${string}/{${infer Name}}${infer Rest}`
  ? Name extends 'evt_id'
    ? [event_id: string, ...IdsOf<Rest>]
    : [id: string, ...IdsOf<Rest>]
  : [];
type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;
type InputOf<Operation> = Operation extends { requestBody: Json<infer Body> }
  ? [body: Body]
  : [QueryOf<Operation>] extends [never]
    ? []
    : [query?: QueryOf<Operation>];
type SuffixOf<Operation> = Operation extends { requestBody: Json<unknown> }
  ? ' body'
  : [QueryOf<Operation>] extends [never]
    ? ''
    : ' query';

type Answers<Operation> = Operation extends { responses: infer Responses } ? Responses : never;
type Answer<Responses> = Responses extends { 200: Json<infer Body> }
  ? Body
  : Responses extends { 201: Json<infer Body> }
    ? Body
    : Responses extends { 202: Json<infer Body> }
      ? Body
      : Responses extends { 302: unknown }
        ? Response
        : undefined;
type Outcome<Body> = Body extends { data: (infer Item)[]; has_more: boolean } ? List<Item, Body> : Promise<Body>;

type Routes = {
  [Path in keyof paths]: {
    [Verb in keyof paths[Path] & string as paths[Path][Verb] extends { responses: unknown }
      ? `${Uppercase<Verb>} ${Path}${SuffixOf<paths[Path][Verb]>}`
      : never]: { ids: IdsOf<Path>; operation: paths[Path][Verb] };
  };
}[keyof paths];
type Taking<One> = One extends unknown ? (value: One) => void : never;
type Merged = Taking<Routes> extends (value: infer All) => void ? All : never;

/** An operation of the OpenAPI document in the form `POST /reservations body`. */
export type Route = keyof Merged & string;

/**
 * The type of the function for a row of operations.ts. Its arguments are the ids in the path, the
 * body or query, and options.
 */
export type Method<Row extends Route> = Merged[Row] extends {
  ids: infer Ids extends unknown[];
  operation: infer Operation;
}
  ? (...input: [...Ids, ...InputOf<Operation>, options?: RequestOptions]) => Outcome<Answer<Answers<Operation>>>
  : never;

export type Methods<Group extends Readonly<Record<string, Route>>> = {
  readonly [Name in keyof Group]: Method<Group[Name]>;
};
