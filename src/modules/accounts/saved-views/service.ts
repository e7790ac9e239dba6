/** Members' saved views of the list of reservations, separate for each mode. */

import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';
import type { SavedView, SaveViewInput, StoredSavedView } from './schemas';

const MAX_VIEWS = 20;

const ofMode =
  ({ mode }: Scope) =>
  (view: StoredSavedView) =>
    view.mode === mode;
const viewsOfMode = (scope: Scope, views: readonly StoredSavedView[]): SavedView[] =>
  views.filter(ofMode(scope)).map(({ id, name, query }) => ({ id, name, query }));

export const listSavedViews = async (scope: Scope, user_id: string): Promise<SavedView[]> =>
  viewsOfMode(scope, await repository.findSavedViews(scope.team_id, user_id));

/** Saves a view. Replaces a view with the same name. Throws too_many_items. */
export async function storeSavedView(
  scope: Scope,
  user_id: string,
  { name, query }: SaveViewInput,
): Promise<SavedView[]> {
  const isSame = (view: StoredSavedView) => ofMode(scope)(view) && view.name.toLowerCase() === name.toLowerCase();
  const views = await repository.changeSavedViews(scope.team_id, user_id, (kept) => {
    const known = kept.find(isSame);
    if (known) return kept.map((view) => (view === known ? { ...view, name, query } : view));
    if (kept.filter(ofMode(scope)).length >= MAX_VIEWS)
      throw new AppError('too_many_items', { message: createRefusal('at_most_views', { most: MAX_VIEWS }) });
    return [...kept, { id: newId('saved_view'), mode: scope.mode, name, query }];
  });
  return viewsOfMode(scope, views);
}

/** Deletes a view. A missing id is ignored. */
export const deleteSavedView = async (scope: Scope, user_id: string, id: string): Promise<SavedView[]> =>
  viewsOfMode(
    scope,
    await repository.changeSavedViews(scope.team_id, user_id, (kept) => kept.filter((view) => view.id !== id)),
  );
