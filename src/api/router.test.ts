/** Tests rules for every procedure of the router. New procedures are found automatically. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appRouter } from './router';
import type { ApiContext } from './trpc/context';
import { HostAndPartnerSchemaPair } from './trpc/host-part';

interface Procedure {
  _def: { type: string; inputs: unknown[]; output?: unknown; meta?: { openapi?: object } };
}
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>);

describe.each(procedures)('%s', (_name, { _def }) => {
  it('declares its input and output', () => {
    expect(_def.output).toBeDefined();
    expect(_def.inputs.length).toBeLessThanOrEqual(1);
  });
});

describe('a module’s procedures', () => {
  const files = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /router\.ts$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .filter((file) => file !== 'src/api/router.ts');

  it('are found by this test', () => expect(files.length).toBeGreaterThan(20));

  it.each(files)('%s has only public procedures, or only the dashboard’s, as its file name states', async (file) => {
    expect(['router.ts', 'dashboard.router.ts']).toContain(path.basename(file));
    const exported = Object.values(await import(path.resolve(file))) as { _def: { procedures: object } }[];
    const own = exported.flatMap(({ _def }) => Object.entries(_def.procedures as Record<string, Procedure>));
    expect(own.length).toBeGreaterThan(0);
    const is_public = path.basename(file) === 'router.ts';
    for (const [name, { _def }] of own) expect([name, _def.meta?.openapi !== undefined]).toEqual([name, is_public]);
  });

  it('share one namespace, whoever may call them', () => {
    const namespaces = new Set(procedures.map(([name]) => name.split('.')[0] ?? ''));
    expect([...namespaces].filter((name) => /host|dashboard/.test(name))).toEqual([]);
  });
});

/** Returns the paths of a schema's fields at each depth: `data[].id`. */
function fieldsOf(schema: unknown, at = ''): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) => [
      `${at}${name}`,
      ...fieldsOf(field, `${at}${name}.`),
    ]);
  }
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, `${at}[].`);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldsOf(schema.unwrap(), at);
  return [];
}

const sides = (schema: unknown) => (schema instanceof HostAndPartnerSchemaPair ? [schema] : []);
const added = ({ partner, host }: HostAndPartnerSchemaPair<unknown, unknown>) =>
  fieldsOf(host).filter((field) => !fieldsOf(partner).includes(field));

const context = (surface: ApiContext['surface'], signed_in: boolean): ApiContext => ({
  request_id: 'req_1',
  surface,
  scope: { team_id: 'team_1', mode: 'live', actor: { kind: 'system', name: 'test' } } as never,
  user: signed_in ? { id: 'u', name: 'Olga', email: 'o@example.com', role: 'owner', session_id: 's' } : null,
  ip: null,
  user_agent: null,
  if_match: null,
  reply: { headers: {} },
});

/** Calls a procedure and returns the fields that it reports as unknown. */
async function unknownOf(name: string, input: object, caller: ApiContext): Promise<string[]> {
  const [space = '', verb = ''] = name.split('.');
  // biome-ignore lint/suspicious/noExplicitAny: any procedure, by its name.
  const call = (appRouter.createCaller(caller) as any)[space][verb];
  const error = await call(input).catch((thrown: unknown) => thrown);
  const issues: z.core.$ZodIssue[] = (error as { cause?: { issues?: z.core.$ZodIssue[] } }).cause?.issues ?? [];
  return issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
}

describe('inputs that only a host may set', () => {
  const inputs = procedures.flatMap(([name, { _def }]) =>
    sides(_def.inputs[0]).flatMap((input) => added(input).map((field) => [name, field] as const)),
  );

  it('are found by this test', () => {
    expect(inputs).toContainEqual(['reservations.list', 'search']);
    expect(inputs).toContainEqual(['reservations.correct_guest', 'guest_phone_last4']);
  });

  it.each(inputs.filter(([, field]) => !field.includes('.')))(
    '%s: `%s` is an unknown field for other callers',
    async (name, field) => {
      // `nothing_has_this` is always unknown, so the call fails and changes nothing.
      const input = { [field]: {}, nothing_has_this: 1 };
      for (const partner of [context('rest', false), context('rest', true), context('dashboard', false)])
        expect(await unknownOf(name, input, partner)).toEqual([field, 'nothing_has_this']);
      expect(await unknownOf(name, input, context('dashboard', true))).toEqual(['nothing_has_this']);
    },
  );
});

describe('outputs that only a host sees', () => {
  const outputs = procedures.flatMap(([name, { _def }]) => sides(_def.output).map((output) => [name, output] as const));

  it('are found by this test', () => {
    const names = outputs.map(([name]) => name);
    for (const name of ['reservations.list', 'certificates.retrieve', 'webhook_endpoints.list_deliveries'])
      expect(names).toContain(name);
  });

  it.each(outputs)('%s has every field that a partner sees, and more', (_name, output) => {
    expect(added(output)).not.toEqual([]);
    const fields = fieldsOf(output.host);
    for (const field of fieldsOf(output.partner)) expect(fields).toContain(field);
  });
});
