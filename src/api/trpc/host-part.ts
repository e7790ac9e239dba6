/**
 * What only a host may give to or see of an operation that partners have too: the one place that tells the two apart.
 * A host is somebody signed in to the dashboard, owner or member; what is the owner's alone is a procedure of its own
 * (`ownerProcedure`). To anybody else a host's field is unknown when it is given, and taken out of what is answered.
 * The bridge and the OpenAPI document know the partner's side alone (rest/routes.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { z } from 'zod';
import type { ApiContext } from './context';

export const isHost = ({ surface, user }: ApiContext) => surface === 'dashboard' && user !== null;

/** A parser is given a value and not the call it belongs to. Outside of a call nobody is a host. */
const called_by_host = new AsyncLocalStorage<boolean>();

/** Runs what comes after a call's first step for whoever calls. */
export const asCaller = <T>(by_host: boolean, run: () => T): T => called_by_host.run(by_host, run);

/** A schema for partners and one for hosts; as a parser, the one for whoever calls. */
export class TwoSided<In, Out> {
  /** For tRPC's types alone: what the dashboard, the only typed client, gives and gets. */
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

/** An input to which a host may add. What the host's schema adds is optional, so that a partner's input is one too. */
export const hostMayGive = <Host extends z.ZodType, Partner extends z.ZodType<z.output<Host>>>(
  partner: Partner,
  host: Host,
) => new TwoSided<z.input<Host>, z.output<Host>>(partner, host);

/** The same names; of a closed set of words a host may see more of them. */
type Widened<T> = T extends string ? string : T extends object ? { [Name in keyof T]: Widened<T[Name]> } : T;

/** An output of which a host sees more: what the partner's schema names, and further fields. */
export const hostSees = <Partner extends z.ZodType, Host extends z.ZodType<Widened<z.output<Partner>>>>(
  partner: Partner,
  host: Host,
) => new TwoSided<z.input<Partner> | z.input<Host>, z.output<Host>>(partner, host);

export const partnerSide = (schema: unknown) => (schema instanceof TwoSided ? schema.partner : schema);
export const hostSide = (schema: unknown) => (schema instanceof TwoSided ? schema.host : schema);
