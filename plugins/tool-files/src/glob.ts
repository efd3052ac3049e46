/** Whether a path matches a pattern. */
export type Glob = (path: string) => boolean

/**
 * Reads a pattern: `*` is any text within a name, `?` one character, `**` any folders. A pattern
 * without `/` matches the last name at any depth. Composed and decomposed names are the same. Its
 * time is proportional to pattern and path.
 */
export function createGlob(pattern: string): Glob {
  const fits = globOf(pattern.normalize('NFC'))
  return (path) => fits(path.normalize('NFC'))
}

function globOf(pattern: string): Glob {
  const parts = pattern.replace(/^\.?\/+/, '').split('/')
  const [only = ''] = parts
  if (parts.length === 1) return (path) => fitsName(only, path.slice(path.lastIndexOf('/') + 1))
  return (path) => fitsParts(parts, path.split('/'))
}

/**
 * `*` matches as little as possible and grows if the rest does not match: backtracks only to the
 * last one.
 */
function fitsList<Item>(pattern: readonly Item[], items: readonly Item[], rule: ListRule<Item>): boolean {
  let [at, item] = [0, 0]
  let [star, resume] = [-1, 0]
  while (item < items.length) {
    const wanted = pattern[at]
    if (wanted !== undefined && rule.isAny(wanted)) {
      star = at
      resume = item
      at += 1
    } else if (wanted !== undefined && rule.fits(wanted, items[item] as Item)) {
      at += 1
      item += 1
    } else if (star !== -1) {
      at = star + 1
      resume += 1
      item = resume
    } else return false
  }
  return pattern.slice(at).every((rest) => rule.isAny(rest))
}

interface ListRule<Item> {
  isAny(wanted: Item): boolean
  fits(wanted: Item, item: Item): boolean
}

const characters: ListRule<string> = { isAny: (wanted) => wanted === '*', fits: (wanted, item) => wanted === '?' || wanted === item }
const names: ListRule<string> = { isAny: (wanted) => wanted === '**', fits: (wanted, item) => fitsName(wanted, item) }

const fitsName = (pattern: string, name: string): boolean => fitsList([...pattern], [...name], characters)
const fitsParts = (pattern: readonly string[], path: readonly string[]): boolean => fitsList(pattern, path, names)
