import { createSignal } from 'solid-js'
import { untilGone } from '../core/until-gone.js'
import type { Text } from '../i18n/messages.js'
import type { IconName } from '../ui/icons.js'

/** What can be done with the words of a message that a person has written, as a button beside it. */
export interface MessageAction {
  /** Among the added ones, from low to high. */
  readonly order: number
  /** Its name for the tooltip and assistive technology. */
  readonly title: Text
  /** The button is this picture alone. */
  readonly icon: IconName
  /** Gets the text of the message, which is not empty. */
  readonly run: (text: string) => void
}

const [actions, setActions] = createSignal<readonly MessageAction[]>([])

/** All that were added, in their order; for whoever shows messages. */
export const messageActions = actions

/**
 * Adds an action to every message that a person wrote; the undo removes it. Call it in `start` of a screen.
 *
 * @example
 * export function start(): void {
 *   addMessageAction({
 *     order: 50,
 *     title: { en: 'Count words', de: 'Wörter zählen' },
 *     icon: 'list-details',
 *     run: (text) => showToast(t('words', { count: text.split(/\s+/).length })),
 *   })
 * }
 */
export function addMessageAction(action: MessageAction): () => void {
  setActions((before) => [...before, action].sort((one, other) => one.order - other.order))
  return untilGone(() => void setActions((before) => before.filter((other) => other !== action)))
}
