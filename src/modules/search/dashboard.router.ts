/** The dashboard's search of everything. */
import { memberProcedure, router } from '@/api/trpc/procedures';
import { SearchQuery, SearchResult } from './schemas';
import { searchEverything } from './service';

export const searchRouter = router({
  everything: memberProcedure
    .input(SearchQuery)
    .output(SearchResult)
    .query(({ ctx, input }) => searchEverything(ctx.scope, input.text)),
});
