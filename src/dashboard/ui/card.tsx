import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

export const Card = ({ className, ...props }: ComponentProps<'section'>) => (
  <section className={cn('overflow-hidden rounded-xl border bg-surface shadow-card', className)} {...props} />
);

export function CardHeader({
  title,
  description,
  actions,
}: {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 border-b px-5 py-4">
      <div className="grid gap-0.5">
        <h2 className="font-semibold text-base">{title}</h2>
        {description ? <p className="text-ink-soft text-sm leading-relaxed">{description}</p> : null}
      </div>
      {actions}
    </div>
  );
}

export const CardBody = ({ className, ...props }: ComponentProps<'div'>) => (
  <div className={cn('px-5 py-4', className)} {...props} />
);

interface Fact {
  label: string;
  value: ReactNode;
}

/** Lists names and values in lines, for narrow cards. */
export function CompactDescriptionList({ items }: { items: Fact[] }) {
  return (
    <dl className="grid gap-2.5 text-sm">
      {items.map((item) => (
        <div key={item.label} className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-baseline gap-3">
          <dt className="text-ink-soft">{item.label}</dt>
          <dd className="min-w-0 break-words">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Lists names and values, in two columns when there is room. */
export function DescriptionList({ items }: { items: Fact[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-4 text-sm sm:grid-cols-2">
      {items.map((item) => (
        <div key={item.label} className="grid min-w-0 content-start gap-0.5">
          <dt className="text-ink-soft text-xs">{item.label}</dt>
          <dd className="min-w-0 break-words">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
