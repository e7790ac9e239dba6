/**
 * Joins class names. The later one does not win: a class that overrides one of the component's own
 * ends in `!`.
 */
export { clsx as cn } from 'clsx';
