import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins class names. The later one of two conflicting classes wins. */
export function cn(...inputs: ClassValue[]): string {
  return twMerge(clsx(inputs));
}
