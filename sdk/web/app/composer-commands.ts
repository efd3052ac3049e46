import { createSignal } from 'solid-js'
import { untilGone } from '../core/until-gone.js'
import type { Text } from '../i18n/messages.js'
import type { IconName } from '../ui/icons.js'

/** What can be typed behind “/” in the field of a message, and the text that comes in its place. */
export interface ComposerCommand {
  /** What is typed for it: letters, digits and `-`, at most 32. */
  readonly name: string
  readonly title: string
  /** At the end of its line: whose it is, where that is not the person. */
  readonly note?: string | undefined
  readonly icon: IconName
  /**
   * Called when it is chosen. May ask for what the text needs; undefined: the person does not want to, and the command
   * stays as it was typed. What it throws is shown.
   */
  readonly text: () => Promise<string | undefined>
}

/** Commands that belong together, such as saved prompts. */
export interface ComposerCommandSource {
  readonly heading: Text
  /** Order among the sources, from low to high. All of them stand before the skills and the actions of the field. */
  readonly order: number
  /** Called each time the list behind “/” opens; what it throws is shown, and the other commands are there without it. */
  readonly read: () => Promise<readonly ComposerCommand[]>
}

const [sources, setSources] = createSignal<readonly ComposerCommandSource[]>([])

export const composerCommandSources = sources

/** Adds commands behind “/”; the undo removes them. */
export function addComposerCommands(source: ComposerCommandSource): () => void {
  setSources((before) => [...before, source].sort((one, other) => one.order - other.order))
  return untilGone(() => void setSources((before) => before.filter((other) => other !== source)))
}
