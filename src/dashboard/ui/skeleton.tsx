import { cn } from './cn';

/** Holds the place of what is loading, so that nothing jumps when it comes. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden data-skeleton className={cn('block animate-pulse rounded-md bg-line/70', className)} />
);
