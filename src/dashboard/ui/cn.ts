/**
 * Joins class names. To override a class of the component, a class must end in `!`, because later
 * classes do not override earlier ones.
 */
export { clsx as cn } from 'clsx';
