/** Elements without content, and those that the next of their kind ends: they do not nest by being left open. */
const shallow: ReadonlySet<string> = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr'],
  ...['p', 'li', 'dt', 'dd', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot', 'option', 'optgroup', 'rt', 'rp', 'colgroup'],
])

/** Whether elements of a page stand deeper in each other than allowed, by its tags alone: before a tree is made of it. */
export function nestsDeeperThan(html: string, maxDepth: number): boolean {
  const tags = /<(\/?)([a-z][a-z\d-]{0,30})/gi
  let depth = 0
  for (let match = tags.exec(html); match !== null; match = tags.exec(html)) {
    const [, end, name = ''] = match
    if (shallow.has(name.toLowerCase())) continue
    if (end === '/') depth = Math.max(0, depth - 1)
    else depth += 1
    if (depth > maxDepth) return true
  }
  return false
}
