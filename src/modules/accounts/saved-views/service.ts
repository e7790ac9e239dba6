/** The lists of reservations that a member keeps at hand, in each mode its own. */

import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';
import type { KeptView, SavedView, SavedViewName } from './schemas';

const MOST = 20;

const ofMode =
  ({ mode }: Scope) =>
  (view: KeptView) =>
    view.mode === mode;
const shown = (scope: Scope, views: readonly KeptView[]): SavedView[] =>
  views.filter(ofMode(scope)).map(({ id, name, query }) => ({ id, name, query }));

export const listViews = async (scope: Scope, user_id: string): Promise<SavedView[]> =>
  shown(scope, await repository.findViews(scope.team_id, user_id));

/** Under a name that is there already it takes that one's place. Throws too_many_items. */
export async function saveView(scope: Scope, user_id: string, { name, query }: SavedViewName): Promise<SavedView[]> {
  const isSame = (view: KeptView) => ofMode(scope)(view) && view.name.toLowerCase() === name.toLowerCase();
  const views = await repository.changeViews(scope.team_id, user_id, (kept) => {
    const known = kept.find(isSame);
    if (known) return kept.map((view) => (view === known ? { ...view, name, query } : view));
    if (kept.filter(ofMode(scope)).length >= MOST)
      throw new AppError('too_many_items', { message: refusal('at_most_views', { most: MOST }) });
    return [...kept, { id: newId('saved_view'), mode: scope.mode, name, query }];
  });
  return shown(scope, views);
}

/** Of one that is gone nothing is said. */
export const deleteView = async (scope: Scope, user_id: string, id: string): Promise<SavedView[]> =>
  shown(scope, await repository.changeViews(scope.team_id, user_id, (kept) => kept.filter((view) => view.id !== id)));
