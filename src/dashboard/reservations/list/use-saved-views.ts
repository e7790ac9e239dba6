import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ProcedureOutputs, useTRPC } from '../../trpc';

export function useSavedViews() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const keep = (views: ProcedureOutputs['accounts']['saved_views']) =>
    queryClient.setQueryData(trpc.accounts.saved_views.queryKey(), views);
  return {
    views: useQuery(trpc.accounts.saved_views.queryOptions(undefined, { staleTime: 60_000 })),
    save: useMutation(trpc.accounts.save_view.mutationOptions({ meta: { handlesError: true }, onSuccess: keep })),
    remove: useMutation(trpc.accounts.delete_view.mutationOptions({ onSuccess: keep })),
  };
}
