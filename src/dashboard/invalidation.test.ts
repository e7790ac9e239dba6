import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { appRouter } from '@/api/router';
import { cacheMutationResult, invalidateQueriesAfterMutation } from './invalidation';

const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>);
const queries = procedures.filter(([, { _def }]) => _def.type === 'query').map(([path]) => path);
const mutations = procedures.filter(([, { _def }]) => _def.type === 'mutation').map(([path]) => path);

const keyOf = (path: string) => [path.split('.'), { input: { id: 'x' }, type: 'query' }];

/**
 * Returns the queries that a mutation makes stale. The tested cache has a result for every query.
 */
async function staleAfter(mutation: string): Promise<string[]> {
  const client = new QueryClient();
  for (const path of queries) client.setQueryData(keyOf(path), {});
  await invalidateQueriesAfterMutation(client, [mutation.split('.')]);
  return queries.filter((path) => client.getQueryState(keyOf(path))?.isInvalidated);
}

describe('after a mutation', () => {
  it('the queries of the changed router are stale', async () => {
    const stale = await staleAfter('certificates.redact');
    expect(stale).toEqual(expect.arrayContaining(['certificates.retrieve', 'certificates.list', 'reservations.list']));
    expect(stale.filter((path) => !/^(certificates|reservations)\./.test(path))).toEqual([]);
  });

  it('a rule for the procedure replaces the router’s rule', async () => {
    expect(await staleAfter('reservations.delete')).toEqual(['reservations.list']);
    expect(await staleAfter('reservations.preview_bulk')).toEqual([]);
  });

  it('a test clock makes everything stale', async () => {
    expect(await staleAfter('test_clocks.advance')).toEqual(queries);
  });

  it('every mutation has a rule, or is listed as changing nothing that is cached', async () => {
    const found = await Promise.all(mutations.map(async (path) => [path, await staleAfter(path)] as const));
    expect(found.flatMap(([path, stale]) => (stale.length === 0 ? [path] : [])).sort()).toMatchInlineSnapshot(`
      [
        "accounts.accept_invitation",
        "accounts.create_team",
        "accounts.delete_view",
        "accounts.save_view",
        "accounts.set_locale",
        "accounts.switch_team",
        "accounts.update_sender",
        "accounts.update_team",
        "guest_erasures.preview",
        "packets.preview_push",
        "properties.preview_mail_text",
        "properties.send_mail_text_test",
        "push.turn_off",
        "push.turn_on",
        "reservations.preview_bulk",
        "reservations.preview_import",
        "signing_page.preview",
        "sync_sources.preview",
        "sync_sources.try_run",
        "team_data.create_export",
        "team_data.delete_team",
      ]
    `);
  });

  it('its response updates the object’s cached query, and creates none', () => {
    const client = new QueryClient();
    const key = [['reservations', 'retrieve'], { input: { id: 'res_1' }, type: 'query' }];
    cacheMutationResult(client, { object: 'reservation', id: 'res_1', status: 'sent' });
    expect(client.getQueryData(key)).toBeUndefined();
    client.setQueryData(key, { id: 'res_1', status: 'draft', actions: {} });
    cacheMutationResult(client, { object: 'reservation', id: 'res_1', status: 'sent' });
    expect(client.getQueryData(key)).toEqual({ object: 'reservation', id: 'res_1', status: 'sent', actions: {} });
  });
});
