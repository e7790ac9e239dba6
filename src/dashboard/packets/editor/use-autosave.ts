'use client';
/**
 * Saves a packet's draft when typing pauses. Each save sends the etag of the version on which it is
 * based. If someone else saved meanwhile, the server refuses the save, and the host chooses to load
 * the other version or to overwrite it.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { invalidateQueriesAfterMutation } from '../../invalidation';
import { type DisplayableError, toDisplayableError } from '../../read-error';
import { type ProcedureInputs, useTRPC, useTRPCClient } from '../../trpc';
import type { Packet } from '../../types';
import {
  convertDraftToPacketContent,
  createPacketDraft,
  findUnsavedPacketChanges,
  isSamePacketDraftContent,
  type PacketContentSchemaValidator,
  type PacketDraft,
  type PacketDraftContent,
} from './draft';
import type { PacketDraftChangeHandler } from './section';

const PAUSE_MS = 800;

export type AutosaveState =
  | { kind: 'idle' | 'saving' }
  /** Someone else changed the packet meanwhile. The server refused the save. */
  | { kind: 'conflict'; error: DisplayableError | null }
  | { kind: 'failed'; error: DisplayableError };

const isConflict = ({ code }: DisplayableError) => code === 'etag_mismatch' || code === 'concurrent_edit';

/**
 * Returns the previous value while the new one is equal, so that dependents are not re-rendered.
 */
function useSame<T>(value: T): T {
  const kept = useRef(value);
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value;
  return kept.current;
}

export function useAutosave(loaded: Packet & { etag: string }) {
  const own = useTranslations('packets');
  const ui = useTranslations('ui');
  const words = useMemo(() => ({ own, ui }), [own, ui]);
  const id = loaded.id;
  const [draft, setDraft] = useState<PacketDraft>(() => createPacketDraft(loaded));
  const [base, setBase] = useState<PacketDraftContent>(
    () => convertDraftToPacketContent(createPacketDraft(loaded), words).content,
  );
  const [state, setState] = useState<AutosaveState>({ kind: 'idle' });
  const etag = useRef(loaded.etag);
  const saving = useRef(false);
  /** The content that the server refused. It is not sent again automatically. */
  const refused = useRef<unknown>(null);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  // Without a mutation key, lists are not invalidated automatically. `save` invalidates them once
  // the editor has the new etag.
  const { mutateAsync } = useMutation({
    meta: { handlesError: true },
    mutationFn: (input: ProcedureInputs['packets']['update']) => client.packets.update.mutate(input),
  });

  const [check, setCheck] = useState<PacketContentSchemaValidator | null>(null);
  const { content, errors: found } = useMemo(
    () => convertDraftToPacketContent(draft, words, check),
    [draft, words, check],
  );
  const errors = useSame(found);
  const changes = useMemo(() => findUnsavedPacketChanges(content, base, errors), [content, base, errors]);
  const pending = Object.keys(changes).length > 0;

  // Loads the schema check before the first save. If it cannot be loaded, only the server
  // validates.
  useEffect(() => {
    if (!pending || check) return;
    void import('./draft-schema').then(
      ({ validatePacketContentWithSchema }) => setCheck(() => validatePacketContentWithSchema),
      () => setCheck(() => () => {}),
    );
  }, [pending, check]);

  const save = async (what: typeof changes, over: string | null) => {
    if (saving.current) return;
    saving.current = true;
    setState({ kind: 'saving' });
    try {
      const saved = await mutateAsync({ ...what, id, etag: over });
      etag.current = saved.etag;
      setBase((before) => ({ ...before, ...what }) as PacketDraftContent);
      setState({ kind: 'idle' });
      void invalidateQueriesAfterMutation(queryClient, trpc.packets.update.mutationKey());
    } catch (thrown) {
      const error = toDisplayableError(thrown);
      refused.current = what;
      setState(isConflict(error) ? { kind: 'conflict', error } : { kind: 'failed', error });
    } finally {
      saving.current = false;
    }
  };

  const latest = useRef({ changes, pending, save, kind: state.kind });
  latest.current = { changes, pending, save, kind: state.kind };

  // After a failed save, the next edit saves again. After a conflict, the host has to decide first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit or the end of the previous save restarts the timer.
  useEffect(() => {
    if (!pending || !check || state.kind === 'conflict' || state.kind === 'saving') return;
    if (state.kind === 'failed' && refused.current === changes) return;
    const timer = setTimeout(() => void latest.current.save(latest.current.changes, etag.current), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [changes, pending, check, state.kind === 'saving', state.kind === 'conflict']);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (latest.current.pending) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('beforeunload', warn);
      // Saves the last changes when the user opens another page of the dashboard.
      const { pending: left, changes: what, save: now, kind } = latest.current;
      if (left && kind !== 'conflict') void now(what, etag.current);
    };
  }, []);

  const change: PacketDraftChangeHandler = useCallback(
    (part) => setDraft((now) => ({ ...now, ...(typeof part === 'function' ? part(now) : part) })),
    [],
  );

  const take = (fresh: Packet & { etag: string }) => {
    const next = createPacketDraft(fresh);
    etag.current = fresh.etag;
    setDraft(next);
    setBase(convertDraftToPacketContent(next, words).content);
    setState({ kind: 'idle' });
  };

  return {
    draft,
    change,
    content,
    errors,
    state,
    pending,
    retry: () => void save(changes, etag.current),
    /** Overwrites the server's version with all valid fields of the draft. */
    overwrite: () => void save(findUnsavedPacketChanges(content, {} as PacketDraftContent, errors), null),
    /** Replaces the draft with the server's version. */
    take,
    /**
     * Called with the server's version after the packet may have changed elsewhere on the page.
     * Replaces the draft if the content changed. With unsaved edits, reports a conflict instead.
     */
    follow: (fresh: Packet & { etag: string }) => {
      if (isSamePacketDraftContent(convertDraftToPacketContent(createPacketDraft(fresh), words).content, base))
        etag.current = fresh.etag;
      else if (pending) setState({ kind: 'conflict', error: null });
      else take(fresh);
    },
  };
}
