/** A field with dictated words that may still change. */
export interface DictatedText {
  /**
   * Replaces what was heard before with what was heard so far. Typing beside it is kept, and the caret stays where it is;
   * words that the person changes are no longer replaced.
   * @returns false once the field was emptied, as it is when a message is sent
   */
  hear(results: readonly string[]): boolean
}

/** Writes at the caret, and tells of each change, which is no input of the browser. */
export function createDictatedText(field: HTMLTextAreaElement, onChange: () => void): DictatedText {
  let start = field.selectionStart
  let end = field.selectionEnd
  let lastValue = field.value
  /** Results before this one are no longer changed. */
  let settled = 0
  let heard = 0

  /** Follows what was typed since. */
  const follow = (): void => {
    const now = field.value
    if (now === lastValue) return
    const { from, before, added } = changeBetween(lastValue, now)
    lastValue = now
    if (start === end) {
      start = field.selectionStart
      end = start
    } else if (before <= start) {
      start += added - (before - from)
      end += added - (before - from)
    } else if (from < end) {
      settled = heard
      start = field.selectionStart
      end = start
    }
  }
  const write = (text: string): void => {
    const moved = (at: number): number => (at >= end ? at + text.length - (end - start) : at > start ? start + text.length : at)
    const caret = [moved(field.selectionStart), moved(field.selectionEnd)] as const
    field.setRangeText(text, start, end)
    field.setSelectionRange(...caret)
    end = start + text.length
    lastValue = field.value
    onChange()
  }
  return {
    hear(results) {
      if (lastValue !== '' && field.value === '') return false
      follow()
      heard = results.length
      write(spaced(joined(results.slice(settled)), lastValue.slice(0, start), lastValue.slice(end)))
      return true
    },
  }
}

/** With a space between results, but for scripts that have none. */
const joined = (results: readonly string[]): string =>
  results
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}]) (?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}])/gu, '')

/** What lies between the equal beginning and the equal end of two texts: its place in the first, and its length in the second. */
function changeBetween(one: string, other: string): { readonly from: number; readonly before: number; readonly added: number } {
  const shorter = Math.min(one.length, other.length)
  let from = 0
  while (from < shorter && one[from] === other[from]) from += 1
  let same = 0
  while (same < shorter - from && one.at(-1 - same) === other.at(-1 - same)) same += 1
  return { from, before: one.length - same, added: other.length - same - from }
}

/** With a space to the words around it where one is due. */
function spaced(words: string, before: string, after: string): string {
  const text = words.trim()
  if (text === '') return ''
  const isBegun = before !== '' && !/\s$/.test(before) && !/^[.,;:!?]/.test(text)
  const goesOn = after !== '' && !/^[\s.,;:!?)]/.test(after)
  return `${isBegun ? ' ' : ''}${text}${goesOn ? ' ' : ''}`
}
