/**
 * Fields of an operation that only hosts may set or see. A host is anyone signed in to the
 * dashboard, owner or member. Owner-only actions are separate procedures (`ownerProcedure`). For
 * other callers a host's field is unknown in input and removed from output. The bridge and the
 * OpenAPI document use only the partner's schemas (rest/routes.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { z } from 'zod';
import type { ApiContext } from './context';

export const isSignedInDashboardRequest = ({ surface, user }: ApiContext) => surface === 'dashboard' && user !== null;

/**
 * Records whether the caller is a host, because a schema's parser gets only the value. Outside of a
 * call there is no host.
 */
const called_by_host = new AsyncLocalStorage<boolean>();

/** Runs `run` on behalf of a host or a partner. */
export const runWithHostOrPartnerSchemas = <T>(by_host: boolean, run: () => T): T => called_by_host.run(by_host, run);

/** Two schemas, for partners and for hosts. Parsing uses the schema of the caller. */
export class HostAndPartnerSchemaPair<In, Out> {
  /**
   * These fields exist only for tRPC's type inference. They have the types of the host's schema,
   * because the dashboard is the only typed client.
   */
  declare readonly _input: In;
  declare readonly _output: Out;

  constructor(
    readonly partner: z.ZodType,
    readonly host: z.ZodType,
  ) {}

  parseAsync(value: unknown): Promise<unknown> {
    return (called_by_host.getStore() === true ? this.host : this.partner).parseAsync(value);
  }
}

/**
 * Defines an input with additional fields for hosts. The additional fields must be optional, so
 * that a partner's input is valid for hosts too.
 */
export const defineInputWithExtraFieldsForHosts = <Host extends z.ZodType, Partner extends z.ZodType<z.output<Host>>>(
  partner: Partner,
  host: Host,
) => new HostAndPartnerSchemaPair<z.input<Host>, z.output<Host>>(partner, host);

/**
 * The same type with every string literal widened to `string`, because an output for hosts may have
 * additional enumeration values.
 */
type Widened<T> = T extends string ? string : T extends object ? { [Name in keyof T]: Widened<T[Name]> } : T;

/** Defines an output with additional fields for hosts. */
export const defineOutputWithExtraFieldsForHosts = <
  Partner extends z.ZodType,
  Host extends z.ZodType<Widened<z.output<Partner>>>,
>(
  partner: Partner,
  host: Host,
) => new HostAndPartnerSchemaPair<z.input<Partner> | z.input<Host>, z.output<Host>>(partner, host);

export const selectPartnerVariantOfSchema = (schema: unknown) =>
  schema instanceof HostAndPartnerSchemaPair ? schema.partner : schema;
export const selectHostVariantOfSchema = (schema: unknown) =>
  schema instanceof HostAndPartnerSchemaPair ? schema.host : schema;
