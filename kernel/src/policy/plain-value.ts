const deepest = 16
const mostValues = 10_000
const mostCharacters = 65_536

/** Not of a class, whose objects may be something else to whoever reads them next. */
const isBare = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

/** Whether a value is JSON without null and lone surrogates, and small enough to ask the engine about: its own limits are not to be tried. */
export function isPlainValue(value: unknown): boolean {
  let values = 0
  let characters = 0
  const isText = (text: string): boolean => {
    characters += text.length
    return characters <= mostCharacters && !/\p{Cs}/u.test(text)
  }
  const isPlain = (part: unknown, depth: number): boolean => {
    values++
    if (values > mostValues || depth > deepest) return false
    switch (typeof part) {
      case 'string':
        return isText(part)
      case 'number':
      case 'boolean':
        return true
      case 'object':
        if (part === null) return false
        if (Array.isArray(part)) return part.every((item) => isPlain(item, depth + 1))
        return isBare(part) && Object.entries(part).every(([name, member]) => isText(name) && isPlain(member, depth + 1))
      default:
        return false
    }
  }
  return isPlain(value, 0)
}
