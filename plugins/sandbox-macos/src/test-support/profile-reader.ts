/** A profile as it is read: lists, and atoms as they stand; a string is marked by a quote before it. */
export type Expression = string | readonly Expression[]

/** Reads a profile as the Scheme of macOS does. @throws for what it would not read. */
export function readProfile(text: string): readonly Expression[] {
  let at = 0
  const skip = (): void => {
    while (at < text.length && /\s/.test(text[at] ?? '')) at += 1
  }
  const readString = (raw: boolean): string => {
    let value = ''
    for (at += 1; text[at] !== '"'; at += 1) {
      if (at >= text.length) throw new SyntaxError('A string has no end.')
      if (text[at] === '\\' && !raw) {
        at += 1
        const escaped = text[at] ?? ''
        value += { n: '\n', r: '\r', t: '\t' }[escaped] ?? escaped
      } else value += text[at]
    }
    at += 1
    return `"${value}`
  }
  const readOne = (): Expression => {
    skip()
    if (text[at] === '"') return readString(false)
    if (text.startsWith('#"', at)) {
      at += 1
      return readString(true)
    }
    if (text[at] !== '(') {
      const atom = /^[^\s()"]+/.exec(text.slice(at))?.[0]
      if (atom === undefined) throw new SyntaxError(`Nothing can be read at ${at}: ${text.slice(at, at + 40)}`)
      at += atom.length
      return atom
    }
    const items: Expression[] = []
    for (at += 1, skip(); text[at] !== ')'; skip()) items.push(readOne())
    at += 1
    return items
  }
  const all: Expression[] = []
  for (skip(); at < text.length; skip()) all.push(readOne())
  return all
}

/** Whether a rule's operation covers another: `file-read*` covers `file-read-data`. */
const covers = (rule: string, operation: string): boolean =>
  rule === operation || rule === 'default' || (rule.endsWith('*') && operation.startsWith(rule.slice(0, -1)))

function matches(filter: Expression, path: string): boolean {
  if (typeof filter === 'string') throw new SyntaxError(`“${filter}” is no filter.`)
  const [kind, ...given] = filter
  const text = String(given[0]).replace(/^"/, '')
  if (kind === 'literal') return path === text
  if (kind === 'subpath') return path === text || path.startsWith(text === '/' ? '/' : `${text}/`)
  if (kind === 'require-all') return given.every((each) => matches(each, path))
  if (kind === 'require-not') return given.every((each) => !matches(each, path))
  if (kind === 'regex') return new RegExp(text).test(path)
  if (kind === 'extension' || kind === 'param') return false
  throw new SyntaxError(`“${String(kind)}” is no filter of paths.`)
}

/** Every action of the rules that match, in their order; the last one decides. */
export function decisions(profile: readonly Expression[], operation: string, path: string): readonly ('allow' | 'deny')[] {
  return profile.flatMap((rule) => {
    const [action, ...rest] = rule as readonly Expression[]
    if (action !== 'allow' && action !== 'deny') return []
    const operations = rest.filter((each): each is string => typeof each === 'string')
    const filters = rest.filter((each) => typeof each !== 'string')
    if (!operations.some((each) => covers(each, operation))) return []
    return filters.length === 0 || filters.some((each) => matches(each, path)) ? [action] : []
  })
}

/** Whether the profile allows the operation on a path. */
export const allows = (profile: readonly Expression[], operation: string, path: string): boolean =>
  decisions(profile, operation, path).at(-1) === 'allow'
