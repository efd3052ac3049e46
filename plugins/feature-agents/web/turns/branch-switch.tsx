import { errorText, IconButton, showToast } from '@agent-service/sdk/web'
import { type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../api/index.js'
import type { ChatState, Message } from '../live-chat/chat-state.js'
import { t } from './texts.js'

/** `2 / 3` with a step back and forward, where the chat forks. */
export function BranchSwitch(props: { readonly chat: ChatState; readonly message: Message }): JSX.Element {
  const all = (): readonly Schemas['Alternative'][] => props.message.alternatives ?? []
  const index = (): number => {
    const current = all().findIndex(({ branch_id }) => branch_id === props.chat.state.chat?.branch_id)
    return current >= 0 ? current : all().findIndex(({ branch_id }) => branch_id === props.message.branch_id)
  }
  const go = async (to: number): Promise<void> => {
    const target = all()[to]
    if (!target) return
    try {
      const path = { chat_id: props.chat.chatId }
      await api.patch('/api/chats/{chat_id}', { path, body: { branch_id: target.branch_id } })
      await props.chat.load()
    } catch (cause) {
      showToast(t('branch_failed', { reason: errorText(cause) }), { mark: 'fail' })
    }
  }
  return (
    <Show when={all().length > 1}>
      <fieldset class="chat-branch" aria-label={t('branches')}>
        <IconButton
          icon="chevron-left"
          size="small"
          name={t('earlier_branch')}
          disabled={index() <= 0 || props.chat.isRunning()}
          onClick={() => void go(index() - 1)}
        />
        <span class="num">{t('branch_of', { number: index() + 1, count: all().length })}</span>
        <IconButton
          icon="chevron-right"
          size="small"
          name={t('later_branch')}
          disabled={index() >= all().length - 1 || props.chat.isRunning()}
          onClick={() => void go(index() + 1)}
        />
      </fieldset>
    </Show>
  )
}
