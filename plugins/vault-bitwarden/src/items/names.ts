const maxNameLength = 200
const maxLineLength = 300

/**
 * Gives names that are not taken: longer ones are cut, the second of a name has a number. Takes time
 * in proportion to their number, however alike they are.
 */
export function createFreeNames(taken: { has(name: string): boolean }): (name: string) => string {
  const numbers = new Map<string, number>()
  return (name) => {
    const whole = name === '' ? '(no name)' : name
    if (whole.length <= maxNameLength && !taken.has(whole)) return whole
    const begin = whole.slice(0, maxNameLength)
    for (let number = numbers.get(begin) ?? 2; ; number += 1) {
      const end = ` (${number})`
      const free = `${whole.slice(0, maxNameLength - end.length)}${end}`
      if (taken.has(free)) continue
      numbers.set(begin, number + 1)
      return free
    }
  }
}

/** One line of at most 300 characters. */
export function lineOf(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength - 1)}…`
}
