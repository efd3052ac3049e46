/** Whether a path fits a pattern. */
export type Glob = (path: string) => boolean

/**
 * Reads a pattern: `*` is any text within a name, `?` one character, `**` any folders. A pattern without `/` is of the last name, wherever it stands. Takes time in
 * proportion to pattern and path, whatever they are.
 */
export function createGlob(pattern: string): Glob {
  const parts = pattern.replace(/^\.?\/+/, '').split('/')
  const [only = ''] = parts
  if (parts.length === 1) return (path) => fitsName(only, path.slice(path.lastIndexOf('/') + 1))
  return (path) => fitsParts(parts, path.split('/'))
}

/** `*` is taken as short as can be and made longer where the rest does not fit: only the last one is ever gone back to. */
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
