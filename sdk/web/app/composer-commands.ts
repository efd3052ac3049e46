import { createSignal } from 'solid-js'
import { untilGone } from '../core/until-gone.js'
import type { Text } from '../i18n/messages.js'
import type { IconName } from '../ui/icons.js'

/** What can be typed behind “/” in the field of a message, and the text that comes in its place. */
export interface ComposerCommand {
  /** What is typed for it: letters, digits and `-`, at most 32. */
  readonly name: string
  /** What it does, in the language of the page. */
  readonly title: string
  /** At the end of its line: whose it is, where that is not the person. */
  readonly note?: string | undefined
  /** Beside its title. */
  readonly icon: IconName
  /**
   * Called when it is chosen. May ask for what the text needs; undefined: the person does not want to, and the command
   * stays as it was typed. What it throws is shown.
   */
  readonly text: () => Promise<string | undefined>
}

/** Commands that belong together, such as saved prompts. */
export interface ComposerCommandSource {
  /** Above them in the list. */
  readonly heading: Text
  /** Order among the sources, from low to high. All of them stand before the skills and the actions of the field. */
  readonly order: number
  /** Called each time the list behind “/” opens; what it throws is shown, and the other commands are there without it. */
  readonly read: () => Promise<readonly ComposerCommand[]>
}

const [sources, setSources] = createSignal<readonly ComposerCommandSource[]>([])

/** All that were added, in their order; for the field that offers them. */
export const composerCommandSources = sources

/**
 * Adds commands behind “/” in the field of a message; the undo removes them. Call it in `start` of a screen.
 *
 * @example
 * export function start(): void {
 *   addComposerCommands({
 *     heading: { en: 'Dice', de: 'Würfel' },
 *     order: 40,
 *     read: async () => [{ name: 'roll', title: t('roll'), icon: 'bolt', text: async () => t('rolled', { count: 6 }) }],
 *   })
 * }
 */
export function addComposerCommands(source: ComposerCommandSource): () => void {
  setSources((before) => [...before, source].sort((one, other) => one.order - other.order))
  return untilGone(() => void setSources((before) => before.filter((other) => other !== source)))
}
