import {
  createPagedList,
  EmptyState,
  Failure,
  Icon,
  IconButton,
  minuteText,
  momentText,
  navigate,
  PagedRows,
  showToast,
  whenText,
} from '@agent-service/sdk/web'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { api, onEvent, type Schemas } from '../../api/index.js'
import { confirmErasure, restoreChat } from './remove-chat.js'
import { t } from './texts.js'

type DeletedChat = Schemas['DeletedChat']

const titleOf = ({ title }: DeletedChat): string => title ?? t('untitled')

/** The chats that were deleted and can be restored: brought back, or deleted for good. */
export function DeletedChats(): JSX.Element {
  const [failure, setFailure] = createSignal<unknown>()
  const list = createPagedList<DeletedChat>({
    load: (cursor) => api.get('/api/chats/bin', { query: { limit: 50, ...(cursor !== undefined && { cursor }) } }),
    idOf: ({ id }) => id,
  })
  onCleanup(onEvent('chat.deleted', ({ data }) => (data.erased_at === null ? list.remove(data.chat_id) : void list.reload())))
  onCleanup(onEvent('chat.updated', ({ data }) => list.remove(data.chat_id)))
  onCleanup(onEvent('reset', () => void list.reload()))
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    }
  }
  /** The focus goes to the row that moves up, or to the heading. */
  const remove = (id: string): void => {
    const index = list.items().findIndex((chat) => chat.id === id)
    list.remove(id)
    const rows = [...document.querySelectorAll(`#main ul[aria-label="${t('list')}"] > li`)]
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))]?.querySelector('button')
    ;(next ?? document.querySelector<HTMLElement>('#main h1'))?.focus()
  }
  const restore = (chat: DeletedChat) =>
    attempt(async () => {
      await restoreChat(chat.id)
      remove(chat.id)
      const action = { label: t('show'), run: () => void navigate(`/chats/${chat.id}`) }
      showToast(t('restored', { title: titleOf(chat) }), { action })
    })
  const erase = (chat: DeletedChat) =>
    attempt(async () => {
      if (!(await confirmErasure(titleOf(chat)))) return
      await api.delete('/api/chats/bin/{chat_id}', { path: { chat_id: chat.id } })
      remove(chat.id)
      showToast(t('erased', { title: titleOf(chat) }))
    })
  return (
    <>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <PagedRows list={list} label={t('list')} empty={<EmptyState title={t('bin_empty')} text={t('bin_empty_text')} />}>
        {(chat) => (
          <div class="item">
            <Icon name="message" />
            <span class="grow">
              <bdi class="cut">{titleOf(chat)}</bdi>
              <span class="sub cut">{t('gone_at', { time: minuteText(chat.erased_at) })}</span>
            </span>
            <span class="meta chats-deleted" title={momentText(chat.deleted_at)}>
              {t('deleted_when', { time: whenText(chat.deleted_at) })}
            </span>
            <IconButton
              icon="arrow-back-up"
              size="small"
              name={t('restore_of', { title: titleOf(chat) })}
              onClick={() => void restore(chat)}
            />
            <IconButton icon="trash" size="small" name={t('erase_of', { title: titleOf(chat) })} onClick={() => void erase(chat)} />
          </div>
        )}
      </PagedRows>
    </>
  )
}
