/** The engine in plain JavaScript. The package's main file looks for a native one. */
declare module 'recheck/lib/browser' {
  export { checkSync } from 'recheck';
}
