import { isForInputMethod } from '../core/input-method.js'
import { locale } from '../i18n/language.js'

/** A character that comes later than this after the one before begins another word, in milliseconds. */
const pauseMs = 1_000

/** Entries of a list, by their places. */
export interface TypedList {
  readonly count: number
  /** The words of an entry, as they are read. */
  readonly labelOf: (place: number) => string
  /** The place of the entry that has the focus; -1 without one. */
  readonly current: number
}

/** What is typed in a list in order to get to an entry. */
export interface Typeahead {
  /**
   * Takes what was typed (a character, or what an input method composed) and says which entry begins with the word that it makes:
   * the next behind the current one, then from the start. `undefined`: none does.
   * @param at the time of the event, `event.timeStamp`: a pause begins a new word
   */
  find(typed: string, at: number, list: TypedList): number | undefined
  /** Whether a character of this time belongs to a word that has begun: a Space then does not press the entry. */
  hasBegun(at: number): boolean
}

/**
 * Finds entries by their first letters, as the ARIA Authoring Practices have it for menus, list boxes and trees. Characters in quick
 * succession make a word; the same one again and again leads from one entry to the next. Upper case and marks on letters make no
 * difference, by the rules of the language of the page.
 */
export function createTypeahead(language: () => string = locale): Typeahead {
  let word = ''
  let last = Number.NEGATIVE_INFINITY
  const hasBegun = (at: number): boolean => word !== '' && at - last < pauseMs
  return {
    hasBegun,
    find(typed, at, { count, labelOf, current }) {
      const { compare } = new Intl.Collator(language(), { sensitivity: 'base' })
      word = ((hasBegun(at) ? word : '') + typed).normalize('NFC').trimStart()
      last = at
      if (word === '') return undefined
      const [first = '', ...others] = word
      const isRepeated = others.every((character) => compare(character, first) === 0)
      const sought = isRepeated ? first : word
      // A longer word may go on with the entry that its beginning has led to.
      const from = isRepeated ? current + 1 : Math.max(0, current)
      for (let step = 0; step < count; step += 1) {
        const place = (from + step) % count
        if (beginsWith(labelOf(place), sought, compare)) return place
      }
      return undefined
    },
  }
}

/** What is equal may have another length: `ß` and `ss`, or signs that only set the direction of what follows. */
function beginsWith(label: string, word: string, compare: (one: string, other: string) => number): boolean {
  const characters = [
    ...label
      .trimStart()
      .normalize('NFC')
      .slice(0, 2 * word.length + 2),
  ]
  return characters.some((_, index) => compare(characters.slice(0, index + 1).join(''), word) === 0)
}

/** The character that a key types; `undefined` for all other keys, shortcuts and what an input method takes. */
export function typedCharacter(event: KeyboardEvent): string | undefined {
  // On Windows AltGr, which types characters, looks like Ctrl and Alt together.
  const isShortcut = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph')
  return isShortcut || isForInputMethod(event) || [...event.key].length !== 1 ? undefined : event.key
}
