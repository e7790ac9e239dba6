import type { ComponentProps } from 'react';
import { cn } from '../cn';

/** A table that scrolls sideways when it is wider than the page. */
export const Table = ({ className, ...props }: ComponentProps<'table'>) => (
  <div className="overflow-x-auto">
    <table className={cn('w-full border-collapse text-left text-sm', className)} {...props} />
  </div>
);
export const TableHead = (props: ComponentProps<'thead'>) => <thead className="border-b bg-muted/50" {...props} />;
export const TableBody = ({ className, ...props }: ComponentProps<'tbody'>) => (
  <tbody className={cn('divide-y divide-line', className)} {...props} />
);
export const TableRow = ({ className, ...props }: ComponentProps<'tr'>) => <tr className={cn(className)} {...props} />;
export const TableHeader = ({ className, ...props }: ComponentProps<'th'>) => (
  <th
    scope="col"
    className={cn('h-9 whitespace-nowrap px-4 font-medium text-ink-soft text-xs', className)}
    {...props}
  />
);
export const TableCell = ({ className, ...props }: ComponentProps<'td'>) => (
  <td className={cn('h-10 px-4 py-1 align-middle', className)} {...props} />
);
