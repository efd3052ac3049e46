/** What of KaTeX does not fit the console, and how often its files have it. */
const changes = [
  {
    file: /[\\/]katex[\\/]dist[\\/]katex\.css$/,
    from: /,\s*url\([^)]+\.woff\)\s*format\("woff"\),\s*url\([^)]+\.ttf\)\s*format\("truetype"\)/g,
    count: 20,
  },
  { file: /[\\/]katex[\\/]dist[\\/]katex\.mjs$/, from: /\b\w+\.setAttribute\("style",[^;]+;|"style": [^,\n]+,/g, count: 5 },
]

/**
 * Leaves of KaTeX's fonts the files that every browser reads, and takes out the style attributes, which the page's policy
 * forbids. They are of its MathML, which is heard and not seen; of errors, which it throws instead; and of drawings, which
 * `permitted-formula.ts` gives their width. A release that has more or fewer of either fails the build.
 */
export const fitKatex = {
  name: 'fit-katex',
  enforce: 'pre',
  transform(code, id) {
    const change = changes.find(({ file }) => file.test(id))
    if (change === undefined) return undefined
    const found = code.match(change.from)?.length ?? 0
    if (found !== change.count)
      throw new Error(
        `${id} has ${found} places like ${change.from}, expected ${change.count}: look at what they do and adapt fit-katex.mjs.`,
      )
    return { code: code.replace(change.from, ''), map: null }
  },
}
