import { addPaletteSource, addSidebarSection, whenText } from '@agent-service/sdk/web'
import { api } from '../../api/index.js'
import { ChatList, chatActivity, isListedSpace } from '../../chats/chat-list.js'
import { hitAddress } from '../../chats/hit-address.js'
import { startOutbox } from '../../outbox/outbox.js'
import { t } from './texts.js'

/** The list of chats beside every screen, chats in the palette, and what still has to be sent. */
export function start(): void {
  startOutbox()
  addSidebarSection({ order: 10, view: ChatList, hasPlace: isListedSpace, activity: chatActivity })
  addPaletteSource({
    heading: { en: 'In chats', de: 'In Chats' },
    order: 10,
    find: async (q, signal) => {
      const { items } = await api.get('/api/chats/search', { query: { q, limit: 10 }, signal })
      return items.map((hit) => ({
        title: hit.chat_title ?? t('untitled'),
        icon: 'message',
        note: whenText(hit.created_at),
        go: hitAddress(hit),
      }))
    },
  })
}
