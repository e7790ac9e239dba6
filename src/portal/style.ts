/**
 * The page's only stylesheet, which the Content-Security-Policy allows by its hash. It contains no
 * quotes or angle brackets, because React would escape them.
 */
export const WEBHOOK_PORTAL_CSS = `
:root { color-scheme: light dark; --ground: #f6f4f0; --surface: #fff; --ink: #1d1b18; --soft: #5d574e; --line: #ded8ce;
  --good: #17663a; --bad: #a3261d; --wait: #6b4e00; --code: #f3f0ea; --focus: #0f5f58 }
@media (prefers-color-scheme: dark) { :root { --ground: #141312; --surface: #1d1b1a; --ink: #f1eee9; --soft: #b3aca1;
  --line: #3a3632; --good: #7fd6a3; --bad: #ff9d94; --wait: #f2cd73; --code: #262321; --focus: #6fd3c8 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.55 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { margin: 0; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere }
h2 { margin: 2rem 0 .75rem; font-size: 1.05rem }
h3 { margin: 1rem 0 .35rem; font-size: .85rem; color: var(--soft) }
p { margin: .5rem 0 }
.soft { color: var(--soft) }
.test { display: inline-block; margin-bottom: .75rem; padding: .1rem .6rem; border-radius: 1rem; background: var(--wait); color: var(--ground); font-size: .8rem; font-weight: 600 }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .35rem 1.25rem; margin: 1rem 0 0 }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
code, pre { font: 13px/1.5 ui-monospace, monospace }
pre { margin: 0; padding: .75rem; border-radius: .5rem; background: var(--code); overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere }
ol { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); overflow: hidden }
li + li { border-top: 1px solid var(--line) }
summary { display: grid; grid-template-columns: 13rem minmax(0, 1fr) max-content; gap: .25rem 1rem; padding: .7rem 1rem; cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
summary:hover { background: var(--code) }
a { color: inherit }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px }
.body { padding: 0 1rem 1rem; border-top: 1px solid var(--line) }
.type { overflow-wrap: anywhere }
.good { color: var(--good); font-weight: 600 }
.bad { color: var(--bad); font-weight: 600 }
.wait { color: var(--wait); font-weight: 600 }
nav { display: flex; gap: 1rem; margin-top: 1rem }
@media (max-width: 40rem) { summary { grid-template-columns: minmax(0, 1fr) max-content } .type { grid-column: 1 / -1; grid-row: 2 }
  dl { grid-template-columns: 1fr } dd { margin-bottom: .4rem } }
`;
