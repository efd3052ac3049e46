import { announce, errorText, isTyping, showToast, useCommands } from '@agent-service/sdk/web'
import type { ChatState } from '../../live-chat/chat-state.js'
import { cardKey } from '../../turns/asked/card-key.js'
import { t } from './texts.js'

/** The keys of a chat: one ends the answer, one leads to the card that waits. `root`: the screen of the chat. */
export function useChatKeys(chat: ChatState, root: () => HTMLElement | undefined): void {
  const group = { en: 'Chat', de: 'Chat' }
  const stop = (): void => {
    announce(t('stopping'))
    chat.stop().catch((error: unknown) => showToast(errorText(error), { mark: 'fail' }))
  }
  /** The field of the message, and all but fields: those have their own use of the key. */
  const isOfChat = (focused: Element): boolean =>
    focused === document.body || ((root()?.contains(focused) ?? false) && (!isTyping(focused) || focused.closest('.dock') !== null))
  const cards = (): readonly HTMLElement[] => [...(root()?.querySelectorAll<HTMLElement>('.ask') ?? [])]
  const focusCard = (): void => {
    const all = cards()
    const next = all.findIndex((card) => card.contains(document.activeElement)) + 1
    const card = all[next % all.length]
    const entry = card?.matches('[data-keys]') ? card : card?.querySelector<HTMLElement>('textarea')
    entry?.focus()
  }
  const lastReading = (): HTMLElement | null =>
    [...(root()?.querySelectorAll<HTMLElement>('.read-aloud > button:first-child') ?? [])].at(-1) ?? null
  useCommands(
    {
      id: 'chat.stop',
      title: { en: 'Stop the answer', de: 'Antwort anhalten' },
      keys: 'Escape',
      whileTyping: true,
      group,
      isAvailable: () => chat.isRunning() && !chat.state.stopping,
      acceptsFocus: isOfChat,
      run: stop,
    },
    {
      id: 'chat.card',
      title: {
        en: 'Go to what waits for you; there A approves and D denies',
        de: 'Zu dem, was auf dich wartet; dort erlaubt A und lehnt D ab',
      },
      keys: cardKey,
      whileTyping: true,
      group,
      isAvailable: () => cards().length > 0,
      run: focusCard,
    },
    {
      id: 'chat.read',
      title: { en: 'Read the last answer aloud, or stop', de: 'Letzte Antwort vorlesen, oder damit aufhören' },
      keys: 'v',
      group,
      isAvailable: () => lastReading() !== null,
      run: () => lastReading()?.click(),
    },
  )
}
