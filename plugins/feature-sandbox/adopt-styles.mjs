/** What of xterm the page's policy forbids, and how often its build has it. */
const changes = [
  { from: /[\w$.]+\.createElement\("style"\)/g, to: () => 'createAdoptedStyle()', count: 3 },
  { from: /([\w$]+)\.setAttribute\("style",/g, to: (_, element) => `${element}.style.cssText=(`, count: 1 },
]

/**
 * Makes xterm fit a policy without inline styles: what it writes into `<style>` elements goes into
 * stylesheets that the document adopts, and style attributes become properties. A release that does
 * either elsewhere fails the build.
 */
export function adoptStyles(moduleFile) {
  return {
    name: 'adopt-styles',
    enforce: 'pre',
    transform(code, id) {
      if (!/@xterm[\\/]xterm[\\/]lib[\\/]xterm\.mjs$/.test(id)) return undefined
      let changed = code
      for (const { from, to, count } of changes) {
        const found = code.match(from)?.length ?? 0
        if (found !== count)
          throw new Error(`xterm has ${found} places like ${from}, expected ${count}: look at what they do and adapt adopt-styles.mjs.`)
        changed = changed.replace(from, to)
      }
      return { code: `import { createAdoptedStyle } from ${JSON.stringify(moduleFile)};\n${changed}`, map: null }
    },
  }
}
