import {
  createAction,
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
import { type JSX, onCleanup, Show } from 'solid-js'
import { api, createPagedQuery, onEvent, type Schemas } from '../../api/index.js'
import { confirmErasure, restoreChat } from './remove-chat.js'
import { t } from './texts.js'

type DeletedChat = Schemas['DeletedChat']

const titleOf = ({ title }: DeletedChat): string => title ?? t('untitled')

/** The chats that were deleted and can be restored: brought back, or deleted for good. */
export function DeletedChats(): JSX.Element {
  const list = createPagedQuery<DeletedChat>({
    key: () => ['deleted_chats'],
    read: (cursor, signal) => api.get('/api/chats/bin', { query: { limit: 50, ...(cursor !== undefined && { cursor }) }, signal }),
    idOf: ({ id }) => id,
  })
  onCleanup(onEvent('chat.updated', ({ data }) => list.remove(data.chat_id)))
  /** The focus goes to the row that moves up, or to the heading. */
  const remove = (id: string): void => {
    const index = list.items().findIndex((chat) => chat.id === id)
    list.remove(id)
    const rows = [...document.querySelectorAll(`#main ul[aria-label="${t('list')}"] > li`)]
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))]?.querySelector('button')
    ;(next ?? document.querySelector<HTMLElement>('#main h1'))?.focus()
  }
  const restore = async (chat: DeletedChat): Promise<void> => {
    await restoreChat(chat.id)
    remove(chat.id)
    const action = { label: t('show'), run: () => void navigate(`/chats/${chat.id}`) }
    showToast(t('restored', { title: titleOf(chat) }), { action })
  }
  const erase = async (chat: DeletedChat): Promise<void> => {
    if (!(await confirmErasure(titleOf(chat)))) return
    await api.delete('/api/chats/bin/{chat_id}', { path: { chat_id: chat.id } })
    remove(chat.id)
    showToast(t('erased', { title: titleOf(chat) }))
  }
  const changing = createAction((work: (chat: DeletedChat) => Promise<void>, chat: DeletedChat) => work(chat), { concurrent: true })
  return (
    <>
      <Show when={changing.failure()}>{(error) => <Failure error={error()} />}</Show>
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
              onClick={() => void changing.run(restore, chat)}
            />
            <IconButton
              icon="trash"
              size="small"
              name={t('erase_of', { title: titleOf(chat) })}
              onClick={() => void changing.run(erase, chat)}
            />
          </div>
        )}
      </PagedRows>
    </>
  )
}
