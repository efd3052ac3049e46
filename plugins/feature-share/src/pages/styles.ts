import { createHash } from 'node:crypto'

/** The style of all pages behind links: the colours of the console, one column, no sideways scrolling. */
export const styles = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fdfdfb, #181917);
  --raised: light-dark(#ffffff, #20211e);
  --sunken: light-dark(#f5f5f1, #121310);
  --line: light-dark(#e3e3dc, #2f312c);
  --text: light-dark(#1b1c19, #edede8);
  --text-2: light-dark(#4f5049, #b8b9b0);
  --accent: light-dark(#0b5f73, #74c5d6);
  --fill: light-dark(#0b5f73, #58aabc);
  --on-fill: light-dark(#ffffff, #021a20);
  --tint: light-dark(#e2eff1, #15323a);
}
* { box-sizing: border-box }
body { margin: 0; background: var(--bg); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
header { border-bottom: 1px solid var(--line); padding-bottom: 1rem; margin-bottom: 1.25rem }
h1 { font-size: 1.4rem; line-height: 1.3; margin: .25rem 0; unicode-bidi: plaintext }
h2 { font-size: .9rem; margin: 0 0 .25rem; color: var(--text-2) }
h3, h4, h5, h6 { font-size: 1.05rem; line-height: 1.4; margin: 1.1em 0 .4em }
p { margin: .6em 0 }
a { color: var(--accent) }
a:focus-visible, .wide:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.meta, .kind { color: var(--text-2); font-size: .9rem; margin: 0 }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1rem }
.button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1.1rem; border-radius: .5rem; text-decoration: none;
  border: 1px solid var(--line); color: var(--text); background: var(--raised) }
.button.main { background: var(--fill); border-color: var(--fill); color: var(--on-fill) }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin: .8em 0; overflow-x: auto;
  font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; unicode-bidi: plaintext }
code { font: .875em ui-monospace, monospace; background: var(--sunken); border-radius: .25rem; padding: .1em .3em }
pre code { background: none; padding: 0; font-size: inherit }
blockquote { margin: .8em 0; padding-inline-start: .9rem; border-inline-start: 3px solid var(--line); color: var(--text-2) }
ul, ol { padding-inline-start: 1.4rem; margin: .6em 0 }
li { unicode-bidi: plaintext }
.wide { overflow-x: auto; margin: .8em 0 }
table { border-collapse: collapse; font-size: .95rem }
th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: start; vertical-align: top; min-width: 5rem }
th { background: var(--sunken) }
[align="right"] { text-align: end }
[align="center"] { text-align: center }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0 }
.message { padding: .9rem 0 }
.message + .message { border-top: 1px solid var(--line) }
.message.person .said { background: var(--tint); border-radius: .6rem; padding: .5rem .9rem }
.said { position: relative; isolation: isolate; contain: layout paint; overflow-clip-margin: 4px }
.said > :first-child { margin-top: 0 }
.said > :last-child { margin-bottom: 0 }
img, video { display: block; max-width: 100%; height: auto; margin: 0 auto; border-radius: .5rem; background: var(--sunken) }
audio { width: 100% }
iframe { display: block; width: 100%; height: 75vh; border: 1px solid var(--line); border-radius: .5rem; background: #ffffff }
.empty { padding: 2rem 0; color: var(--text-2) }
.missing { padding-top: 18vh }
`

/** For `style-src`: this style and no other. */
export const stylesSource: string = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`
