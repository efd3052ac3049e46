import type { FilePattern } from '@agent-service/sdk/contracts/policy-engine'

/** Whether a path fits a pattern: each wildcard stands for any text, the empty one too. */
export function fits(pattern: FilePattern, path: string): boolean {
  const [first = '', ...others] = pattern
  const last = others.pop()
  if (last === undefined) return path === first
  if (!path.startsWith(first) || path.length < first.length + last.length || !path.endsWith(last)) return false
  const end = path.length - last.length
  let from = first.length
  for (const text of others) {
    const at = path.indexOf(text, from)
    if (at < 0 || at + text.length > end) return false
    from = at + text.length
  }
  return true
}

/** Whether some paths that begin with a prefix fit a pattern, and others do not. */
export function dividesBelow(pattern: FilePattern, prefix: string): boolean {
  const [first = ''] = pattern
  if (pattern.length === 1) return first.startsWith(prefix)
  if (!prefix.startsWith(first) && !first.startsWith(prefix)) return false
  // It fits all of them if it fits the prefix, and any text may follow.
  return !(pattern.at(-1) === '' && fits(pattern, prefix))
}
