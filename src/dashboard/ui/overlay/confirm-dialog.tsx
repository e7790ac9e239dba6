'use client';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../button';
import { Field } from '../form/field';
import { Input } from '../form/input';
import { Dialog } from './dialog';

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The consequences of confirming, in full sentences. */
  children: ReactNode;
  confirmLabel: string;
  /**
   * The label of the button that closes the dialog. The default “Cancel” would be ambiguous in a
   * dialog about cancelling.
   */
  keepLabel?: string;
  danger?: boolean;
  /** Text that the user must type before an irreversible action. */
  typed?: string;
  pending?: boolean;
  onConfirm: () => void;
}

export function ConfirmDialog({ typed, ...props }: ConfirmDialogProps) {
  const t = useTranslations('ui');
  const [text, setText] = useState('');
  const matches = !typed || text.trim() === typed;
  const change = (open: boolean) => {
    if (!open) setText('');
    props.onOpenChange(open);
  };
  return (
    <Dialog
      open={props.open}
      onOpenChange={change}
      size="sm"
      title={props.title}
      dismissLabel={props.keepLabel ?? t('keep_as_it_is')}
      footer={
        <Button
          variant={props.danger ? 'danger' : 'primary'}
          disabled={!matches}
          pending={props.pending}
          onClick={props.onConfirm}
        >
          {props.confirmLabel}
        </Button>
      }
    >
      <div className="grid gap-4 text-ink-soft text-sm leading-relaxed">
        <div>{props.children}</div>
        {typed ? (
          <Field
            label={t.rich('type_to_confirm', {
              typed: () => <code className="rounded bg-muted px-1 font-mono">{typed}</code>,
            })}
          >
            {(control) => (
              <Input {...control} value={text} autoComplete="off" onChange={(event) => setText(event.target.value)} />
            )}
          </Field>
        ) : null}
      </div>
    </Dialog>
  );
}
