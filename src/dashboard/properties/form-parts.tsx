'use client';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import type { DisplayableError } from '../read-error';
import { Button } from '../ui/button';
import { Switch } from '../ui/form/switch';

interface SwitchRowProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** A switch with a label and an explanation. */
export function SwitchRow({ label, hint, checked, onChange, disabled }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="grid min-w-0 gap-0.5">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="text-ink-soft text-xs leading-relaxed">
            {hint}
          </p>
        ) : null}
      </div>
      <Switch
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5"
      />
    </div>
  );
}

/**
 * Shows the reason why the server refused the form. The text is at the end of the form and scrolls
 * into view, because otherwise the button would seem to do nothing.
 */
export function FormErrorMessage({ refused }: { refused: DisplayableError | null }) {
  const t = useTranslations('ui');
  const said = useRef<HTMLParagraphElement>(null);
  const why = refused?.message;
  useEffect(() => {
    if (why) said.current?.scrollIntoView({ block: 'nearest' });
  }, [why]);
  if (!refused) return null;
  return (
    <p ref={said} role="alert" className="text-danger text-sm">
      {refused.message}
      {refused.request_id ? (
        <span className="block text-ink-soft text-xs">{t('request_id_value', { id: refused.request_id })}</span>
      ) : null}
    </p>
  );
}

interface FormFooterProps {
  form: string;
  dirty: boolean;
  pending: boolean;
  onDiscard: () => void;
}

/** The buttons to save and discard. They are always rendered, so that the layout does not move. */
export function FormFooter({ form, dirty, pending, onDiscard }: FormFooterProps) {
  const t = useTranslations('ui');
  return (
    <div className="flex items-center justify-end gap-2 border-t bg-muted/40 px-5 py-3">
      {dirty ? (
        <Button variant="ghost" onClick={onDiscard} disabled={pending}>
          {t('discard')}
        </Button>
      ) : null}
      <Button type="submit" form={form} pending={pending} disabled={!dirty}>
        {t('save')}
      </Button>
    </div>
  );
}
