import { abilities, errorText, type MenuItem, readAbilities, showToast } from '@agent-service/sdk/web'
import { onCleanup } from 'solid-js'
import { api, createQuery, onEvent } from '../../api/index.js'
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
  const path = { chat_id: chatId }
  // Without memory there is no such route; what else is wrong with the chat is said where it is read.
  const remember = createQuery({
    key: () => (isListed() ? ['chat_memory', chatId] : undefined),
    read: async (signal) => (await api.get('/api/memory/chats/{chat_id}', { path, signal })).remember,
  })
  const choose = async (wanted: boolean): Promise<void> => {
    try {
      remember.set((await api.put('/api/memory/chats/{chat_id}', { path, body: { remember: wanted } })).remember)
      showToast(t(wanted ? 'remembered_again' : 'not_remembered_from_now'), {
        action: { label: t('undo'), run: () => void choose(!wanted) },
      })
    } catch (error) {
      showToast(errorText(error), { mark: 'fail' })
    }
  }
  void readAbilities()
  onCleanup(
    onEvent('memory.updated', ({ data: { change, chat_id: changed } }) => {
      if (changed === chatId && (change === 'excluded' || change === 'included')) remember.set(change === 'included')
    }),
  )
  return {
    isExcluded: () => remember.value() === false && abilities().memory,
    items() {
      const now = remember.value()
      if (now === undefined || !abilities().memory) return []
      return [{ label: t(now ? 'do_not_remember' : 'remember_again'), icon: 'bulb', run: () => void choose(!now) }]
    },
  }
}
