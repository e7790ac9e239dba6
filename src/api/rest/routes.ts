/**
 * Finds the operation of a method and path in constant time per path segment. trpc-openapi's own
 * matching would try every procedure's pattern in turn.
 */
import type { AnyProcedure, AnyRouter } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { selectPartnerVariantOfSchema } from '@/api/trpc/host-part';
import type { OperationMeta } from '../trpc/init';

export interface Route {
  /** The procedure's path in the router, such as `reservations.create`. */
  readonly name: string;
  readonly method: string;
  /** For example `/reservations/{id}`. */
  readonly pattern: string;
  /** The procedure, with its schemas for partners. */
  readonly procedure: AnyProcedure;
  readonly meta: OperationMeta;
}

export type RouteMatch =
  | { kind: 'found'; route: Route; params: Record<string, string> }
  | { kind: 'wrong_method'; allow: string[] }
  | { kind: 'unknown' };

interface Node {
  readonly children: Map<string, Node>;
  parameter: { name: string; node: Node } | null;
  readonly routes: Map<string, Route>;
}

const newNode = (): Node => ({ children: new Map(), parameter: null, routes: new Map() });

/**
 * Returns every public operation of a router. Throws when two operations share a method and path,
 * or when an operation has no operation meta.
 */
export function listRoutes(router: AnyRouter): Route[] {
  const seen = new Set<string>();
  return Object.entries(router._def.procedures as Record<string, AnyProcedure>).flatMap(([name, procedure]) => {
    const meta = procedure._def.meta as (OpenApiMeta & { operation?: OperationMeta }) | undefined;
    if (!meta?.openapi) return [];
    if (!meta.operation) throw new Error(`${name} has REST meta but no operation meta.`);
    const { method, path: pattern } = meta.openapi;
    const route = { name, method, pattern, procedure: partnerProcedure(procedure), meta: meta.operation };
    const key = `${route.method} ${route.pattern}`;
    if (seen.has(key)) throw new Error(`Two operations answer ${key}.`);
    seen.add(key);
    return [route];
  });
}

function partnerProcedure(procedure: AnyProcedure): AnyProcedure {
  const { inputs, output, ...rest } = procedure._def as unknown as { inputs: unknown[]; output: unknown };
  const call = (options: unknown) => (procedure as unknown as (options: unknown) => unknown)(options);
  const _def = {
    ...rest,
    inputs: inputs.map(selectPartnerVariantOfSchema),
    output: selectPartnerVariantOfSchema(output),
  };
  return Object.assign(call, { _def }) as unknown as AnyProcedure;
}

/**
 * Builds a function that finds the operation of a method and path. Paths start with a slash and
 * omit `/v1`.
 */
export function createRouteMatcher(routes: readonly Route[]): (method: string, path: string) => RouteMatch {
  const root = newNode();
  for (const route of routes) {
    let node = root;
    for (const segment of route.pattern.split('/').filter(Boolean)) {
      const parameter = /^\{(.+)\}$/.exec(segment)?.[1];
      if (parameter) {
        node.parameter ??= { name: parameter, node: newNode() };
        node = node.parameter.node;
      } else {
        let child = node.children.get(segment);
        if (!child) {
          child = newNode();
          node.children.set(segment, child);
        }
        node = child;
      }
    }
    node.routes.set(route.method, route);
  }

  return (method, path) => {
    const values: string[] = [];
    let node: Node | undefined = root;
    for (const segment of path.split('/').slice(1)) {
      const fixed: Node | undefined = node.children.get(segment);
      if (fixed) {
        node = fixed;
      } else if (node.parameter && segment !== '') {
        values.push(segment);
        node = node.parameter.node;
      } else {
        return { kind: 'unknown' };
      }
    }
    if (node.routes.size === 0) return { kind: 'unknown' };
    const route = node.routes.get(method);
    if (!route) return { kind: 'wrong_method', allow: [...node.routes.keys()] };
    // The names come from the route's own pattern, because routes may share a parameter's tree node
    // and name the parameter differently.
    const names = route.pattern.split('/').flatMap((segment) => /^\{(.+)\}$/.exec(segment)?.[1] ?? []);
    const params: Record<string, string> = {};
    for (const [index, name] of names.entries()) params[name] = decode(values[index] ?? '');
    return { kind: 'found', route, params };
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
