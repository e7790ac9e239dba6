'use client';
import { Check, CircleAlert, LoaderCircle, PenLine } from 'lucide-react';
import { Notice } from '../../developers/notice';
import { Button } from '../../ui/button';
import type { SaveState } from './use-autosave';

interface SaveStatusProps {
  state: SaveState;
  pending: boolean;
  /** How many fields are wrong and therefore not saved. */
  wrong: number;
}

/** Whether what is on the screen is on the server. */
export function SaveStatus({ state, pending, wrong }: SaveStatusProps) {
  const [Icon, text, tone] =
    state.kind === 'conflict' || state.kind === 'failed'
      ? ([CircleAlert, 'Not saved', 'text-danger'] as const)
      : wrong > 0 && !pending
        ? ([
            CircleAlert,
            `Not saved: ${wrong === 1 ? 'one field needs' : `${wrong} fields need`} a look`,
            'text-warning',
          ] as const)
        : state.kind === 'saving'
          ? ([LoaderCircle, 'Saving …', 'text-ink-soft'] as const)
          : pending
            ? ([PenLine, 'Not saved yet', 'text-ink-soft'] as const)
            : ([Check, 'Saved', 'text-success'] as const);
  return (
    <p role="status" className={`inline-flex min-h-9 items-center gap-1.5 text-sm ${tone}`}>
      <Icon className={`size-4 ${state.kind === 'saving' ? 'animate-spin' : ''}`} aria-hidden />
      {text}
    </p>
  );
}

interface SaveTroubleProps {
  state: SaveState;
  onReload: () => void;
  onOverwrite: () => void;
  onRetry: () => void;
}

/** What to do when a save was refused. */
export function SaveTrouble({ state, onReload, onOverwrite, onRetry }: SaveTroubleProps) {
  if (state.kind === 'conflict') {
    return (
      <div role="alert" className="mb-6">
        <Notice
          tone="warning"
          title="The packet was changed elsewhere"
          actions={
            <>
              <Button variant="secondary" onClick={onReload}>
                Reload theirs
              </Button>
              <Button variant="danger" onClick={onOverwrite}>
                Overwrite with mine
              </Button>
            </>
          }
        >
          Someone else, another tab or your software saved it after you opened it. Reloading gives up what you typed
          since the last save; overwriting gives up their change, which stays in the history.
        </Notice>
      </div>
    );
  }
  if (state.kind === 'failed') {
    return (
      <div role="alert" className="mb-6">
        <Notice
          tone="danger"
          title="It could not be saved"
          actions={
            <Button variant="secondary" onClick={onRetry}>
              Try again
            </Button>
          }
        >
          {state.error.message}
          {state.error.request_id ? (
            <span className="block text-ink-soft text-xs">Request id {state.error.request_id}</span>
          ) : null}
        </Notice>
      </div>
    );
  }
  return null;
}
