'use client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CertificateFilters } from '@/modules/certificates/host.schemas';
import { type Cursor, cursorInput } from '../list/cursor';
import { type Outputs, useTRPC, useTRPCClient } from '../trpc';

export type CertificateRow = Outputs['certificates']['list']['data'][number];
export type CertificateFacts = Outputs['certificates']['retrieve'];
export type Verification = Outputs['certificates']['verify'];
export type AuditTrail = CertificateFacts['audit_trail'];

export function useCertificates(filters: CertificateFilters, cursor: Cursor) {
  const trpc = useTRPC();
  const input = { limit: 25, ...filters, ...cursorInput(cursor) };
  return useQuery(trpc.certificates.list.queryOptions(input, { placeholderData: keepPreviousData }));
}

/** Asked again while the PDF is being sealed, which takes seconds. */
export function useCertificate(id: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.certificates.retrieve.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data && !state.data.sealed_at && !state.data.redacted ? 2_000 : false) },
    ),
  );
}

export function useVerification(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.certificates.verify.queryOptions({ id }));
}

/** Begins the download of a certificate's dispute pack; what stands against it is told as of every change. */
export function useDisputePack() {
  const client = useTRPCClient();
  return useMutation({
    mutationFn: async (id: string) => {
      const { url } = await client.certificates.dispute_pack.query({ id });
      // The path on this host: the public address may name another one.
      const { pathname, search } = new URL(url);
      window.location.assign(pathname + search);
    },
  });
}

export function usePhoto(id: string, enabled: boolean) {
  const trpc = useTRPC();
  // It stays in memory no longer than it is looked at.
  return useQuery(trpc.certificates.photo.queryOptions({ id }, { enabled, gcTime: 0, staleTime: 0 }));
}

/** Hold, copy and redaction change what every card of the page says. */
function useCertificateChange() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.certificates.pathKey() }),
      queryClient.invalidateQueries({ queryKey: trpc.reservations.pathKey() }),
    ]);
}

export function useSetLegalHold() {
  const trpc = useTRPC();
  const refresh = useCertificateChange();
  return useMutation(trpc.certificates.set_legal_hold.mutationOptions({ onSettled: refresh }));
}

export function useSetCopyRevoked() {
  const trpc = useTRPC();
  const refresh = useCertificateChange();
  return useMutation(trpc.certificates.set_copy_revoked.mutationOptions({ onSettled: refresh }));
}

export function useRedact(onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useCertificateChange();
  return useMutation(trpc.certificates.redact.mutationOptions({ onSuccess: onDone, onSettled: refresh }));
}
