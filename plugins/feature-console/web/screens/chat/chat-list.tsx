import './chat-list.css'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { api } from '../../api/client.js'
import { onEvent } from '../../api/events.js'
import { createPagedList } from '../../api/paged-list.js'
import type { Schemas } from '../../api/types.js'
import { currentPath } from '../../app/router.js'
import { Button } from '../../ui/button.js'
import { Mark } from '../../ui/mark.js'
import { Failure } from '../../ui/states.js'
import { t } from './texts.js'

type Chat = Schemas['Chat']

/**
 * The chats, newest first, in the sidebar. Pages are read when asked for; events alone change what
 * is shown.
 */
export function ChatList(): JSX.Element {
  const list = createPagedList<Chat>({
    load: (cursor) => api.get('/api/chats', { query: { limit: 30, ...(cursor !== undefined && { cursor }) } }),
    idOf: (chat) => chat.id,
  })
  const [waiting, setWaiting] = createSignal<ReadonlySet<string>>(new Set())
  const mark = (id: string, waits: boolean): void =>
    void setWaiting((before) => new Set(waits ? [...before, id] : [...before].filter((other) => other !== id)))
  onCleanup(
    onEvent('chat.updated', ({ data: { chat } }) => {
      if (chat.active_run_id === null) mark(chat.id, false)
      if (chat.archived || chat.hidden) list.remove(chat.id)
      else list.put(chat)
    }),
  )
  onCleanup(onEvent('run.waiting', ({ data }) => mark(data.chat_id, true)))
  onCleanup(onEvent('approval.resolved', ({ data }) => mark(data.chat_id, false)))
  onCleanup(onEvent('reset', () => void list.reload()))
  const chats = (): readonly Chat[] => [...list.items()].sort((one, other) => other.updated_at.localeCompare(one.updated_at))
  return (
    <section aria-labelledby="chat-list-head">
      <h2 class="h3" id="chat-list-head">
        {t('chats')}
      </h2>
      <ul>
        <For each={chats()}>
          {(chat) => (
            <li>
              <a class="nav" href={`/chats/${chat.id}`} aria-current={currentPath() === `/chats/${chat.id}` ? 'page' : undefined}>
                <span class="cut">
                  <bdi>{chat.title ?? t('untitled')}</bdi>
                </span>
                <Show when={chat.active_run_id !== null}>
                  <Show when={waiting().has(chat.id)} fallback={<Mark name="run" label={t('running')} />}>
                    <Mark name="wait" label={t('waits')} />
                  </Show>
                </Show>
              </a>
            </li>
          )}
        </For>
      </ul>
      <Show when={list.state() === 'failed'}>
        <Failure error={list.error()} onRetry={() => void list.reload()} />
      </Show>
      <Show when={list.hasMore()}>
        <div class="chat-list-more">
          <Button size="small" kind="quiet" busy={list.state() === 'loading'} onClick={() => void list.more()}>
            {t('more_chats')}
          </Button>
        </div>
      </Show>
    </section>
  )
}
