import { createSignal, onCleanup } from 'solid-js'
import { isForInputMethod } from '../core/input-method.js'
import { isTyping } from '../core/is-typing.js'
import type { Text } from '../i18n/messages.js'

/** A shortcut: what the keyboard does, and what the palette offers. */
export interface Command {
  /** Unique; a later one with the same id replaces the earlier one while it exists. */
  readonly id: string
  /** What it does, verb first. */
  readonly title: Text
  /**
   * `mod+k`, `?`, `g h` (one key after the other), `shift+mod+o`. `mod` is ⌘ on Apple's systems and
   * Ctrl elsewhere. Absent: only in the palette.
   */
  readonly keys?: string
  /** The heading in the `?` sheet and the palette. */
  readonly group: Text
  /** Also while the person types in a field. Default: only for keys with `mod`. */
  readonly whileTyping?: boolean
  /** Whether there is something to do; while there is not, its keys are left to the browser. Default: always. */
  readonly isAvailable?: () => boolean
  /** Whether the keys are meant for it while an element has the focus. Default: they are. */
  readonly acceptsFocus?: (focused: Element) => boolean
  /** Called by its keys and by the palette. */
  readonly run: () => void
}

const [commands, setCommands] = createSignal<readonly Command[]>([])

/** Every command that exists now. */
export const allCommands = (): readonly Command[] => [...new Map(commands().map((command) => [command.id, command])).values()]

/**
 * Adds commands to the keyboard, the `?` sheet and the palette; the component that is being made takes them along when it goes.
 *
 * @example
 * useCommands({
 *   id: 'tool-dice.roll',
 *   title: { en: 'Roll', de: 'Würfeln' },
 *   group: { en: 'Dice', de: 'Würfel' },
 *   keys: 'r',
 *   run: () => void api.post('/api/plugins/tool-dice/rolls', { body: { name: 'd6' } }),
 * })
 */
export function useCommands(...added: readonly Command[]): void {
  onCleanup(addCommands(...added))
}

/** Adds commands until the returned undo is called. */
export function addCommands(...added: readonly Command[]): () => void {
  setCommands((before) => [...before, ...added])
  return () => void setCommands((before) => before.filter((command) => !added.includes(command)))
}

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys as people read them: `⌘ K`, `Ctrl K`, `G then H` as a list of steps. */
export function keyLabels(keys: string): readonly string[] {
  return keys.split(/[ +]/).map((key) => {
    if (key === 'mod') return isApple ? '⌘' : 'Ctrl'
    if (key === 'Escape') return 'Esc'
    if (key === 'shift') return isApple ? '⇧' : 'Shift'
    return key.length === 1 ? key.toUpperCase() : key
  })
}

const sequenceMs = 1_000
/** Whether something lay over the page when the key was pressed: it may be closed before the shortcuts see the key. */
let wasCovered = false
let pending: { readonly key: string; readonly at: number } | undefined

/** Listens to the keyboard. Keys that a component handles itself are not seen. */
export function startShortcuts(): void {
  document.addEventListener(
    'keydown',
    () => {
      wasCovered = document.querySelector('dialog[open], :popover-open') !== null
    },
    true,
  )
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isForInputMethod(event) || event.altKey) return
    const pressed = nameOf(event)
    if (pressed === undefined) return
    const sequence = pending && event.timeStamp - pending.at < sequenceMs ? `${pending.key} ${pressed}` : undefined
    const typing = isTyping(event.target)
    const available = allCommands().filter(
      ({ keys, whileTyping, isAvailable, acceptsFocus }) =>
        keys !== undefined &&
        (!typing || (whileTyping ?? keys.includes('mod+'))) &&
        (isAvailable?.() ?? true) &&
        (acceptsFocus?.(document.activeElement ?? document.body) ?? true),
    )
    const found = available.find(({ keys }) => keys === sequence) ?? available.find(({ keys }) => keys === pressed)
    pending = typing || found ? undefined : { key: pressed, at: event.timeStamp }
    if (!found || (wasCovered && !found.keys?.includes('mod+'))) return
    event.preventDefault()
    found.run()
  })
}

function nameOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string | undefined {
  if (['Control', 'Meta', 'Shift', 'Alt', 'Unidentified', 'Dead'].includes(key)) return undefined
  const mod = isApple ? metaKey : ctrlKey
  const other = isApple ? ctrlKey : metaKey
  if (other) return undefined
  const isLetter = key.length === 1
  return `${shiftKey && (!isLetter || mod) ? 'shift+' : ''}${mod ? 'mod+' : ''}${isLetter ? key.toLowerCase() : key}`
}
