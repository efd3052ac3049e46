import { createEffect, createMemo, createSignal, type JSX, Show } from 'solid-js'
import type { Schemas } from '../../../api/types.js'
import { loadPart } from '../../../core/load-part.js'
import type { ChatState, Message } from '../chat-state.js'
import type { FileCards } from './file-cards.js'

export type MadeFile = Schemas['MadeFile']

const [cards, setCards] = createSignal<typeof FileCards>()

/** Loads the cards, with the first file. After a failure the next file asks again; all files are on the page Files as well. */
function loadCards(): void {
  if (cards() !== undefined) return
  loadPart(() => import('./file-cards.js')).then(
    (module) => void setCards(() => module.FileCards),
    () => undefined,
  )
}

/** What the calls of a turn have made or changed, as cards at its end. */
export function MadeFiles(props: { readonly chat: ChatState; readonly messages: readonly Message[] }): JSX.Element {
  const files = createMemo(() => filesOf(props.chat, props.messages))
  createEffect(() => {
    if (files().length > 0) loadCards()
  })
  return (
    <Show when={files().length > 0 && cards()} keyed>
      {(Cards) => <Cards files={files()} />}
    </Show>
  )
}

/** Each file once, at its first place and in its last state. */
function filesOf({ state }: ChatState, messages: readonly Message[]): readonly MadeFile[] {
  const byPath = new Map<string, MadeFile>()
  for (const { content } of messages)
    for (const part of content)
      if (part.type === 'tool_call') for (const file of state.calls[part.call_id]?.files ?? []) byPath.set(file.path, file)
  return [...byPath.values()]
}
