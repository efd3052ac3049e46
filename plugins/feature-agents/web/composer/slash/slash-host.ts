import type { JSX } from 'solid-js'

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
