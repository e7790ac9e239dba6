'use client';
import { Check, CircleAlert, LoaderCircle, PenLine } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../../developers/notice';
import { Button } from '../../ui/button';
import type { AutosaveState } from './use-autosave';

interface SaveStatusProps {
  state: AutosaveState;
  pending: boolean;
  /** The number of invalid fields, which are not saved. */
  wrong: number;
}

/** Shows whether the changes are saved. */
export function SaveStatus({ state, pending, wrong }: SaveStatusProps) {
  const t = useTranslations('packets');
  const [Icon, text, tone] =
    state.kind === 'conflict' || state.kind === 'failed'
      ? ([CircleAlert, t('not_saved'), 'text-danger'] as const)
      : wrong > 0 && !pending
        ? ([CircleAlert, t('not_saved_fields', { wrong }), 'text-warning'] as const)
        : state.kind === 'saving'
          ? ([LoaderCircle, t('saving'), 'text-ink-soft'] as const)
          : pending
            ? ([PenLine, t('not_saved_yet'), 'text-ink-soft'] as const)
            : ([Check, t('saved'), 'text-success'] as const);
  return (
    <p role="status" className={`inline-flex min-h-9 items-center gap-1.5 text-sm ${tone}`}>
      <Icon className={`size-4 ${state.kind === 'saving' ? 'animate-spin' : ''}`} aria-hidden />
      {text}
    </p>
  );
}

interface SaveTroubleProps {
  state: AutosaveState;
  onReload: () => void;
  onOverwrite: () => void;
  onRetry: () => void;
}

/** Shown when the server refused a save, with the ways to continue. */
export function SaveFailureNotice({ state, onReload, onOverwrite, onRetry }: SaveTroubleProps) {
  const ui = useTranslations('ui');
  const t = useTranslations('packets');
  if (state.kind === 'conflict') {
    return (
      <div role="alert" className="mb-6">
        <Notice
          tone="warning"
          title={t('the_packet_was_changed_elsewhere')}
          actions={
            <>
              <Button variant="secondary" onClick={onReload}>
                {t('reload_theirs')}
              </Button>
              <Button variant="danger" onClick={onOverwrite}>
                {t('overwrite_with_mine')}
              </Button>
            </>
          }
        >
          {t('someone_else_another_tab_or_your_software')}
        </Notice>
      </div>
    );
  }
  if (state.kind === 'failed') {
    return (
      <div role="alert" className="mb-6">
        <Notice
          tone="danger"
          title={t('it_could_not_be_saved')}
          actions={
            <Button variant="secondary" onClick={onRetry}>
              {t('try_again')}
            </Button>
          }
        >
          {state.error.message}
          {state.error.request_id ? (
            <span className="block text-ink-soft text-xs">
              {ui('request_id_value', { id: state.error.request_id })}
            </span>
          ) : null}
        </Notice>
      </div>
    );
  }
  return null;
}
