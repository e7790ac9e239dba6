/** The path of an installed browser, or null. `CHROME_PATH` names one outright. */
export function findBrowser(): string | null;
/** Whether there is anything to install. */
export function needsBrowser(): Promise<boolean>;
/** Installs one: Debian's own as root, else the one Playwright brings. */
export function installBrowser(): Promise<void>;
