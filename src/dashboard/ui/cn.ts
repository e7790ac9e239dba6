/**
 * Joins class names. A later class does not override an earlier one. A class that must override a
 * class of the component ends in `!`.
 */
export { clsx as cn } from 'clsx';
