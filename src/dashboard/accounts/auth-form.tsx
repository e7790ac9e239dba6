'use client';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';

/**
 * The layout of the sign-in, sign-up and password forms: title, error, fields and links to the
 * other forms.
 */
export function AuthFormLayout({
  title,
  lead,
  error,
  onSubmit,
  children,
  after,
}: {
  title: string;
  lead?: ReactNode;
  error?: string | null;
  onSubmit?: (event: React.FormEvent<HTMLFormElement>) => void;
  children?: ReactNode;
  after?: ReactNode;
}) {
  const t = useTranslations('accounts');
  return (
    <div className="grid gap-6">
      <div className="grid gap-1.5">
        <h1 className="text-balance font-semibold text-2xl tracking-tight">{title}</h1>
        {lead ? <p className="text-ink-soft text-sm leading-relaxed">{lead}</p> : null}
      </div>
      {error ? (
        <p
          role="alert"
          className="flex gap-2.5 rounded-md bg-danger-tint px-3 py-2.5 text-danger text-sm leading-relaxed"
        >
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          {error}
        </p>
      ) : null}
      <noscript>
        <p className="rounded-md bg-warning-tint px-3 py-2.5 text-sm leading-relaxed">
          {t('the_dashboard_needs_javascript_switch_it_on')}
        </p>
      </noscript>
      {onSubmit ? (
        <form className="grid gap-4" onSubmit={onSubmit} noValidate>
          {children}
        </form>
      ) : (
        children
      )}
      {after ? <div className="text-ink-soft text-sm">{after}</div> : null}
    </div>
  );
}

export const TEXT_LINK_CLASS_NAMES = 'font-medium text-primary underline underline-offset-4 hover:text-primary-hover';
