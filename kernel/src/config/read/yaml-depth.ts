import type { CST } from 'yaml'

/**
 * The offset of the first value that is nested deeper than `limit`, or `undefined`. Reads tokens only, with a stack of its own: composing a
 * document calls itself for each level, and running out of stack there can end the process.
 */
export function tooDeepAt(tokens: readonly CST.Token[], limit: number): number | undefined {
  const pending: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({ token, depth: 0 }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { token, depth } = next
    if (depth > limit) return token.offset
    if (token.type === 'document' && token.value) pending.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      if (key) pending.push({ token: key, depth: depth + 1 })
      if (value) pending.push({ token: value, depth: depth + 1 })
    }
  }
  return undefined
}
