import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../ui/cn';

const TONES = {
  info: { box: 'border-info/30 bg-info-tint', icon: 'text-info', Icon: Info },
  warning: { box: 'border-warning/30 bg-warning-tint', icon: 'text-warning', Icon: TriangleAlert },
  danger: { box: 'border-danger/30 bg-danger-tint', icon: 'text-danger', Icon: TriangleAlert },
};

interface NoticeProps {
  tone: keyof typeof TONES;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}

/** A notice at the top of a page. */
export function Notice({ tone, title, children, actions, className }: NoticeProps) {
  const { box, icon, Icon } = TONES[tone];
  return (
    <div className={cn('flex flex-wrap items-start gap-x-3 gap-y-3 rounded-lg border p-4 text-sm', box, className)}>
      <Icon className={cn('mt-0.5 size-4 shrink-0', icon)} aria-hidden />
      <div className="grid min-w-0 flex-1 basis-48 gap-1 leading-relaxed">
        {title ? <p className="break-words font-medium">{title}</p> : null}
        {children ? <div className="break-words text-ink">{children}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}
