import { errorText, isProblem, showToast } from '@agent-service/sdk/web'
import { createEffect, createSignal, on } from 'solid-js'
import { api, type Schemas } from '../api/index.js'
import { type Choice, isUndelivered, outgoing } from '../outbox/outbox.js'

type Chat = Schemas['Chat']

/** Who answers in a chat. */
export interface Chosen {
  /** As the person sees it, and as it goes with a message; undefined until the chat has been read. */
  readonly shown: () => Required<Choice> | undefined
  /** Shows the choice at once. It is taken back, with the reason, if the service refuses it. */
  readonly choose: (choice: Choice) => void
}

/**
 * The choice of agent and model in a chat. Messages carry it, so that each is answered as it was
 * written, and it is stored in the chat for other tabs. That waits for the messages that were
 * written before, which would put their own choice in its place.
 */
export function createChosen(chatId: string, chat: () => Chat | undefined, take: (changed: Chat) => void): Chosen {
  const [asked, setAsked] = createSignal<Choice>()
  let storing = false
  const store = async (choice: Choice): Promise<void> => {
    storing = true
    try {
      take(await api.patch('/api/chats/{chat_id}', { path: { chat_id: chatId }, body: choice }))
      setAsked((now) => (now === choice ? undefined : now))
    } catch (cause) {
      // What could not be asked is kept: the next message has it.
      if (isProblem(cause) && (cause.status === 0 || cause.status >= 500)) return
      setAsked((now) => (now === choice ? undefined : now))
      showToast(errorText(cause), { mark: 'fail' })
    } finally {
      storing = false
    }
    const next = asked()
    if (next) void store(next)
  }
  const isWaiting = (): boolean => outgoing().some((message) => message.chatId === chatId && isUndelivered(message))
  createEffect(() => {
    const choice = asked()
    if (choice && !storing && !isWaiting()) void store(choice)
  })
  // Of several tabs the last one counts.
  createEffect(
    on(
      () => `${chat()?.agent_id} ${chat()?.model}`,
      () => {
        if (!storing && !isWaiting()) setAsked(undefined)
      },
      { defer: true },
    ),
  )
  return {
    shown: () => {
      const found = chat()
      return found && { agent_id: found.agent_id, model: found.model, ...asked() }
    },
    choose: (choice) => void setAsked((before) => ({ ...before, ...choice })),
  }
}
