/**
 * Splits a command line into the program and its arguments: at white space, quotes of either kind
 * keep together, a backslash takes the next character as it is (not inside single quotes, and not
 * on Windows, where it stands in paths). No shell ever sees it. `undefined` for a quote that does
 * not end.
 */
export function splitCommand(command: string, isWindows: boolean): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (let index = 0; index < command.length; index += 1) {
    const character = command.charAt(index)
    const escapes = character === '\\' && quote !== "'" && !isWindows && index + 1 < command.length
    if (escapes) {
      index += 1
      word = (word ?? '') + command.charAt(index)
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined
      else word = (word ?? '') + character
    } else if (character === '"' || (character === "'" && !isWindows)) {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  if (quote !== undefined) return undefined
  return word === undefined ? words : [...words, word]
}
