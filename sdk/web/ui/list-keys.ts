import { isTyping } from '../core/is-typing.js'
import { createTypeahead, typedCharacter } from './typeahead.js'

/** The entries of a list that keys lead through, by their places. */
export interface KeyedList {
  readonly count: () => number
  /** The words of an entry, as they are read. */
  readonly labelOf: (place: number) => string
  /** The place of the entry that has the focus; -1 without one: the keys are not the list's then. */
  readonly current: () => number
  /** Gives an entry the focus. */
  readonly go: (place: number) => void
  /** Whether the arrows lead from the last entry to the first, and back, as in menus. Default: they stop there. */
  readonly wraps?: boolean
}

/**
 * Lets keys lead through the entries of a list: arrows, Home and End, and letters to the next entry that begins with what is typed.
 * Fields in the list keep their keys; a letter that leads nowhere is left to the shortcuts of the page.
 */
export function addListKeys(element: HTMLElement, list: KeyedList): void {
  const typeahead = createTypeahead()
  /** A Space belongs to a word: no button is pressed when the key comes up, whatever the browser does by itself. */
  let isSpaceTaken = false
  const goTo = (place: number | undefined): boolean => {
    if (place !== undefined) list.go(place)
    return place !== undefined
  }
  const type = (typed: string, at: number): boolean =>
    goTo(typeahead.find(typed, at, { count: list.count(), labelOf: list.labelOf, current: list.current() }))
  element.addEventListener('keydown', (event) => {
    isSpaceTaken = false
    if (event.defaultPrevented || !isMeant(event.target, element) || list.current() < 0) return
    const character = typedCharacter(event)
    const hasBegun = typeahead.hasBegun(event.timeStamp)
    if (character === ' ' && !hasBegun) return
    if (character !== undefined ? type(character, event.timeStamp) : goTo(arrowPlace(event, list))) event.preventDefault()
    if (character !== ' ') return
    isSpaceTaken = true
    event.preventDefault()
  })
  element.addEventListener(
    'click',
    (event) => {
      const isByKey = event.detail === 0
      // Clicks of assistive technology look the same; they are not taken for the key for long.
      if (!isSpaceTaken || !isByKey || !typeahead.hasBegun(event.timeStamp)) return
      isSpaceTaken = false
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    true,
  )
  element.addEventListener('compositionend', (event) => {
    if (isMeant(event.target, element) && list.current() >= 0) type(event.data, event.timeStamp)
  })
}

/** Not for fields, and not for what is open over the list, such as the menu of an entry. */
function isMeant(target: EventTarget | null, list: HTMLElement): boolean {
  const layer = target instanceof Element ? target.closest('[popover], dialog') : null
  return !isTyping(target) && (layer === null || layer.contains(list))
}

function arrowPlace(event: KeyboardEvent, list: KeyedList): number | undefined {
  const [count, current] = [list.count(), list.current()]
  if (count === 0 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return undefined
  const places: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    Home: 0,
    End: count - 1,
  }
  const place = places[event.key]
  if (place === undefined) return undefined
  return list.wraps ? (place + count) % count : Math.max(0, Math.min(count - 1, place))
}

/**
 * The keys of {@link addListKeys} for elements that are all in the page. The focus may also be at something else of an entry: it
 * belongs to the nearest row around it.
 * @param row a selector of what an entry is in, such as `li`; default: the entry itself
 *
 * @example
 * export function Names(): JSX.Element {
 *   return (
 *     <ul ref={(rows) => addEntryKeys(rows, { entries: () => [...rows.querySelectorAll('a')], row: 'li' })}>
 *       <For each={list.items()}>{(each) => <li><a href={`/panels/tool-dice-table/${each.id}`}>{each.name}</a></li>}</For>
 *     </ul>
 *   )
 * }
 */
export function addEntryKeys(
  element: HTMLElement,
  { entries, row, wraps = false }: { readonly entries: () => readonly HTMLElement[]; readonly row?: string; readonly wraps?: boolean },
): void {
  addListKeys(element, {
    wraps,
    count: () => entries().length,
    labelOf: (place) => readWords(entries()[place]),
    current: () =>
      entries().findLastIndex((entry) => ((row === undefined ? undefined : entry.closest(row)) ?? entry).contains(document.activeElement)),
    go: (place) => entries()[place]?.focus(),
  })
}

/** What of an element is read: its label, or its text without what is hidden from assistive technology. */
function readWords(node: Node | undefined): string {
  if (node instanceof Text) return node.data
  if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return ''
  return node.getAttribute('aria-label') ?? [...node.childNodes].map(readWords).join('')
}
