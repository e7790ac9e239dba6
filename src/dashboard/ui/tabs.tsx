'use client';
import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export const Tabs = ({ className, ...props }: ComponentProps<typeof Radix.Root>) => (
  <Radix.Root className={cn('grid gap-5', className)} {...props} />
);
export const TabsList = ({ className, ...props }: ComponentProps<typeof Radix.List>) => (
  <Radix.List className={cn('-mx-1 flex gap-5 overflow-x-auto border-b', className)} {...props} />
);
export const TabsTrigger = ({ className, ...props }: ComponentProps<typeof Radix.Trigger>) => (
  <Radix.Trigger
    className={cn(
      '-mb-px rounded-t-sm whitespace-nowrap border-transparent border-b-2 px-1 py-2.5 font-medium text-ink-soft text-sm -outline-offset-2 hover:text-ink data-[state=active]:border-primary data-[state=active]:text-ink',
      className,
    )}
    {...props}
  />
);
export const TabsContent = Radix.Content;
