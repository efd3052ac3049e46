import { currentPath, currentQuery, errorText, navigate, showToast } from '@agent-service/sdk/web'
import { createEffect, type JSX, onCleanup } from 'solid-js'
import { api } from '../../api/index.js'
import type { ChatState } from '../../live-chat/chat-state.js'
import { t } from './texts.js'

/** The most that the service gives at once: messages on the way to the wanted one are not read by the person. */
const maxPage = 200

/**
 * Scrolls to the message that the address names, once its page has been read. One in a branch that
 * is not shown makes the chat switch to that branch, as the person could do beside the message. Shows nothing itself.
 */
export function WantedMessage(props: { readonly chat: ChatState; readonly scroll: HTMLElement }): JSX.Element {
  const { chat } = props
  let switching = false
  const forget = (): void => void navigate(currentPath(), { replace: true })
  const show = (id: string): void => {
    const found = props.scroll.querySelector<HTMLElement>(`[data-messages~="${CSS.escape(id)}"]`)
    found?.scrollIntoView({ block: 'center' })
    // What stands for a turn that is far away gives way to it in the next frames.
    if (found?.childElementCount === 0) return void requestAnimationFrame(() => show(id))
    found?.classList.add('found')
    forget()
  }
  const switchTo = async (branch_id: string): Promise<void> => {
    switching = true
    try {
      chat.setChat(await api.patch('/api/chats/{chat_id}', { path: { chat_id: chat.chatId }, body: { branch_id } }))
    } catch (cause) {
      showToast(t('branch_failed', { reason: errorText(cause) }), { mark: 'fail' })
      forget()
    } finally {
      switching = false
    }
  }
  createEffect(() => {
    const query = currentQuery()
    const wanted = query.get('message')
    if (wanted === null || chat.loading() !== undefined || chat.error() !== undefined || !chat.state.chat) return
    if (chat.state.messages[wanted]) {
      const frame = requestAnimationFrame(() => show(wanted))
      onCleanup(() => cancelAnimationFrame(frame))
      return
    }
    const place = Number(query.get('at') ?? -1)
    const first = chat.state.messages[chat.state.order[0] ?? '']
    const mayBeOlder = chat.hasOlder() && (first?.sequence ?? 0) > place
    const branch = query.get('branch')
    if (mayBeOlder) void chat.loadOlder(maxPage)
    else if (branch !== null && branch !== chat.state.chat.branch_id) {
      if (!switching) void switchTo(branch)
    } else if (!chat.isReading()) {
      showToast(t('message_gone'), { mark: 'off' })
      forget()
    }
  })
  return null
}
