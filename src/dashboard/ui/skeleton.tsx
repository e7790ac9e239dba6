import { cn } from './cn';

/** A placeholder while content loads, so that the layout does not move. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden data-skeleton className={cn('block animate-pulse rounded-md bg-line/70', className)} />
);
