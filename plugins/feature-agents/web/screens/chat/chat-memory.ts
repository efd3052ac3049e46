import { abilities, errorText, isProblem, type MenuItem, readAbilities, showToast } from '@agent-service/sdk/web'
import { createEffect, createSignal, onCleanup } from 'solid-js'
import { api, onEvent } from '../../api/index.js'
import { t } from './texts.js'

/** Whether something of a chat may be remembered. */
export interface ChatMemory {
  /** The person has left the chat out. False while it is not known. */
  readonly isExcluded: () => boolean
  /** The switch in the chat's menu; none where nothing keeps memories. */
  readonly items: () => readonly MenuItem[]
}

/** Reads the choice of a chat that is in a list, and keeps it up to date; of others nothing is remembered. */
export function createChatMemory(chatId: string, isListed: () => boolean): ChatMemory {
  const [remember, setRemember] = createSignal<boolean>()
  const path = { chat_id: chatId }
  const read = async (): Promise<void> => {
    if (!isListed()) return
    try {
      setRemember((await api.get('/api/memory/chats/{chat_id}', { path })).remember)
    } catch (error) {
      // Without memory there is no such route; what else is wrong with the chat is said where it is read.
      if (!isProblem(error)) throw error
    }
  }
  const choose = async (wanted: boolean): Promise<void> => {
    try {
      setRemember((await api.put('/api/memory/chats/{chat_id}', { path, body: { remember: wanted } })).remember)
      showToast(t(wanted ? 'remembered_again' : 'not_remembered_from_now'), {
        action: { label: t('undo'), run: () => void choose(!wanted) },
      })
    } catch (error) {
      showToast(errorText(error), { mark: 'fail' })
    }
  }
  createEffect(() => void read())
  void readAbilities()
  onCleanup(onEvent('reset', () => void read()))
  onCleanup(
    onEvent('memory.updated', ({ data: { change, chat_id: changed } }) => {
      if (changed === chatId && (change === 'excluded' || change === 'included')) setRemember(change === 'included')
    }),
  )
  return {
    isExcluded: () => remember() === false && abilities().memory,
    items() {
      const now = remember()
      if (now === undefined || !abilities().memory) return []
      return [{ label: t(now ? 'do_not_remember' : 'remember_again'), icon: 'bulb', run: () => void choose(!now) }]
    },
  }
}
