'use client';
import type { VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { buttonStyles } from './button-styles';
import { cn } from './cn';
import { Link } from './link';

type Looks = VariantProps<typeof buttonStyles>;

/** A link that looks like a button. */
export const LinkButton = ({ variant, size, className, ...link }: ComponentProps<typeof Link> & Looks) => (
  <Link className={cn(buttonStyles({ variant, size }), className)} {...link} />
);

/** Like `LinkButton`, for a file or a page outside of the dashboard. */
export const AnchorButton = ({ variant, size, className, ...anchor }: ComponentProps<'a'> & Looks) => (
  <a className={cn(buttonStyles({ variant, size }), className)} {...anchor} />
);
