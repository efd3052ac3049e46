import { createSignal, type JSX } from 'solid-js'
import { loadPart } from '../../../../core/load-part.js'

/** The field in which a command is typed, and what commands can do. */
export interface SlashHost {
  readonly field: () => HTMLTextAreaElement | undefined
  readonly setText: (text: string) => void
  readonly agentId: () => string | undefined
  /** The names of the skills that the agent was given; “*”: all. */
  readonly skills: () => readonly string[]
  readonly attach: () => void
}

/** What a message field needs for the list behind “/”. */
export interface Slash {
  /** After each change of the text. */
  readonly look: () => void
  readonly close: () => void
  /** Whether a key was for the list. */
  readonly takesKey: (event: KeyboardEvent) => boolean
  /** Of the field: the ids of the list, and of the option that the keys are at. */
  readonly listId: () => string | undefined
  readonly activeId: () => string | undefined
  readonly list: () => JSX.Element
}

/** All of it is loaded when the first slash begins a line. Without it a message is what was typed; the next key tries again. */
export function createSlash(host: SlashHost): Slash {
  const [part, setPart] = createSignal<Slash>()
  let isAsked = false
  return {
    look() {
      part()?.look()
      if (isAsked || !/^\//m.test(host.field()?.value ?? '')) return
      isAsked = true
      loadPart(() => import('./open-slash.js')).then(
        ({ openSlash }) => setPart(openSlash(host)).look(),
        () => {
          isAsked = false
        },
      )
    },
    close: () => part()?.close(),
    takesKey: (event) => part()?.takesKey(event) ?? false,
    listId: () => part()?.listId(),
    activeId: () => part()?.activeId(),
    list: () => part()?.list(),
  }
}
