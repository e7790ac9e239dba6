/** The dashboard's global search. */
import { anyRoleProcedure, router } from '@/api/trpc/procedures';
import { SearchQuery, SearchResult } from './schemas';
import { searchEverything } from './service';

export const searchRouter = router({
  everything: anyRoleProcedure
    .input(SearchQuery)
    .output(SearchResult)
    .query(({ ctx, input }) => searchEverything(ctx.scope, input.text)),
});
