/** The engine in plain JavaScript. The package's main file searches for a native one. */
declare module 'recheck/lib/browser' {
  export { checkSync } from 'recheck';
}
