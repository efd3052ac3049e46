import { loadPart } from '@agent-service/sdk/web'
import { offerPrinting } from '../../chats/printing.js'

/** Chats can be printed from every menu of them; what lays them out is loaded for the first one. */
export function start(): void {
  offerPrinting(async (chat) => {
    const { printChat } = await loadPart(() => import('./print/print-chat.js'))
    await printChat(chat)
  })
}
