import { createSignal } from 'solid-js'
import { api, type Schemas } from '../api/index.js'
import { orLeftOut } from './left-out.js'

export type ContextUse = ReturnType<typeof createContextUse>

/** How full the window of the chat's model is. Nothing is shown before the first answer. */
export function createContextUse(chatId: string) {
  const [context, setContext] = createSignal<Schemas['ChatContext']>()
  let turn = 0
  return {
    shown: () => {
      const found = context()
      return typeof found?.tokens === 'number' ? { used: found.tokens, window: found.window, compactAbove: found.compact_above } : undefined
    },
    read(): Promise<void> {
      turn += 1
      const mine = turn
      return orLeftOut(
        api.get('/api/chats/{chat_id}/context', { path: { chat_id: chatId } }).then((found) => mine === turn && setContext(found)),
      )
    },
    /** Takes what the newest call used. */
    take({ input_tokens, output_tokens }: Schemas['ModelUsage']): void {
      setContext((before) => before && { ...before, tokens: input_tokens + output_tokens })
    },
  }
}
