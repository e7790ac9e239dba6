import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { SaveViewInput } from './schemas';
import { deleteSavedView, listSavedViews, storeSavedView } from './service';

let live: Scope;
let user_id: string;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  live = await insertTeam();
  user_id = (await systemDb().member.findFirstOrThrow({})).userId;
});

const save = (scope: Scope, user: string, name: string, query: string) =>
  storeSavedView(scope, user, SaveViewInput.parse({ name, query }));
const names = async (scope: Scope, user = user_id) => (await listSavedViews(scope, user)).map(({ name }) => name);

it('a view belongs to one member, team and mode', async () => {
  await save(live, user_id, 'Unsigned', 'status=not_signed');
  expect(await names(live)).toEqual(['Unsigned']);
  expect(await names({ ...live, mode: 'test' })).toEqual([]);
  const other = await insertTeam('live', 'other@example.com');
  expect(await names(other)).toEqual([]);
  expect(await save(other, user_id, 'Not a member here', '')).toEqual([]);
  const [their] = await systemDb().member.findMany({ where: { organizationId: other.team_id } });
  expect(await names(live, their?.userId)).toEqual([]);
  const [mine] = await listSavedViews(live, user_id);
  expect(await deleteSavedView(live, their?.userId ?? '', mine?.id ?? '')).toEqual([]);
  expect(await deleteSavedView({ ...live, mode: 'test' }, user_id, 'view_none')).toEqual([]);
  expect(await names(live)).toEqual(['Unsigned']);
  expect(await deleteSavedView(live, user_id, mine?.id ?? '')).toEqual([]);
  expect(await names(live)).toEqual([]);
});

it('a saved view contains neither the page nor the search text', () => {
  const { query } = SaveViewInput.parse({ name: ' Mine ', query: 'q=Grace+Hopper&status=sent&after=res_1&sort=guest' });
  expect(query).toBe('status=sent&sort=guest');
});

it('a view replaces one of the same name, concurrent changes are kept, and there are at most twenty', async () => {
  await save(live, user_id, 'Mine', 'status=sent');
  await save(live, user_id, 'MINE', 'status=draft');
  expect(await listSavedViews(live, user_id)).toMatchObject([{ name: 'MINE', query: 'status=draft' }]);
  await Promise.all(Array.from({ length: 19 }, (_, at) => save(live, user_id, `View ${at}`, '')));
  expect(await names(live)).toHaveLength(20);
  await expect(save(live, user_id, 'One more', '')).rejects.toMatchObject({ code: 'too_many_items' });
  await save(live, user_id, 'view 3', 'status=sent');
  expect(await names({ ...live, mode: 'test' })).toEqual([]);
  expect(await save({ ...live, mode: 'test' }, user_id, 'Of test mode', '')).toHaveLength(1);
});
