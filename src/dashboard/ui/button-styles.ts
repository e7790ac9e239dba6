import { cva } from 'class-variance-authority';

/** The styles of a button, also for links in server components. */
export const buttonStyles = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium text-sm transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-primary text-on-primary shadow-card enabled:hover:bg-primary-hover',
        secondary: 'border border-line-strong bg-surface text-ink shadow-card hover:bg-muted',
        ghost: 'text-ink hover:bg-muted',
        danger: 'bg-danger text-on-danger shadow-card enabled:hover:bg-danger-hover',
        link: 'h-auto! px-0! text-primary underline-offset-4 hover:underline',
      },
      size: { sm: 'h-8 px-3', md: 'h-9 px-4', lg: 'h-11 px-5 text-base!', icon: 'size-9' },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
);
