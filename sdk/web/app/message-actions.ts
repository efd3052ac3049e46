import { createSignal } from 'solid-js'
import { untilGone } from '../core/until-gone.js'
import type { Text } from '../i18n/messages.js'
import type { IconName } from '../ui/icons.js'

/** What can be done with the words of a message that a person has written, as a button beside it. */
export interface MessageAction {
  /** Among the added ones, from low to high. */
  readonly order: number
  readonly title: Text
  readonly icon: IconName
  /** Gets the text of the message, which is not empty. */
  readonly run: (text: string) => void
}

const [actions, setActions] = createSignal<readonly MessageAction[]>([])

export const messageActions = actions

/** Adds an action to every message of a person; the undo removes it. */
export function addMessageAction(action: MessageAction): () => void {
  setActions((before) => [...before, action].sort((one, other) => one.order - other.order))
  return untilGone(() => void setActions((before) => before.filter((other) => other !== action)))
}
