import { errorText, itemActions, lazyPart, loadPart, MenuButton, type MenuItem, placed, showToast } from '@agent-service/sdk/web'
import { createSignal, type JSX, Show } from 'solid-js'
import { api, type Schemas } from '../api/index.js'
import { printer } from './printing.js'
import { t } from './texts.js'

export type Chat = Schemas['Chat']

const MoveDialog = lazyPart(
  () => import('./move-dialog.js'),
  (module) => module.MoveDialog,
)
const RenameDialog = lazyPart(
  () => import('./rename-dialog.js'),
  (module) => module.RenameDialog,
)

export const titleOf = (chat: Pick<Chat, 'title'>): string => chat.title ?? t('untitled')

/** The menu of a chat: rename, pin, move, archive, export, print, delete. */
export function ChatMenu(props: {
  readonly chat: Chat
  readonly name: string
  readonly size?: 'small'
  /** Further actions of the place where the menu is. */
  readonly more?: readonly MenuItem[]
  /** After a change, with what the service answered; undefined: the chat is gone. */
  readonly onChange?: (chat: Chat | undefined) => void
}): JSX.Element {
  const [dialog, setDialog] = createSignal<'rename' | 'move'>()
  const change = async (body: Schemas['UpdateChat']): Promise<void> => {
    props.onChange?.(await api.patch('/api/chats/{chat_id}', { path: { chat_id: props.chat.id }, body }))
  }
  const items = (): readonly MenuItem[] => [
    { label: t('rename'), icon: 'pencil', run: () => void setDialog('rename') },
    ...(props.chat.temporary ? [] : listedItems()),
    ...(props.more ?? []),
    ...(props.chat.temporary ? [] : itemActions({ kind: 'chat', name: titleOf(props.chat), chatId: props.chat.id })),
    { label: t('export'), icon: 'download', run: () => download(props.chat.id, 'json') },
    { label: t('export_markdown'), icon: 'download', run: () => download(props.chat.id, 'markdown') },
    ...printItems(),
    { label: t('delete'), icon: 'trash', danger: true, run: () => attempt(remove) },
  ]
  /** What a chat has that is in a list. */
  const listedItems = (): readonly MenuItem[] => [
    { label: props.chat.pinned ? t('unpin') : t('pin'), icon: 'star', run: () => attempt(() => change({ pinned: !props.chat.pinned })) },
    { label: t('move'), icon: 'folder', run: () => void setDialog('move') },
    props.chat.archived
      ? { label: t('restore'), icon: 'arrow-back-up', run: () => attempt(() => change({ archived: false })) }
      : { label: t('archive'), icon: 'file-zip', run: () => attempt(archive) },
  ]
  const printItems = (): readonly MenuItem[] => {
    const print = printer()
    return print ? [{ label: t('print'), icon: 'file-text', run: () => attempt(() => print(props.chat)) }] : []
  }
  const archive = async (): Promise<void> => {
    const title = titleOf(props.chat)
    await change({ archived: true })
    showToast(t('archived', { title }), { action: { label: t('undo'), run: () => attempt(() => change({ archived: false })) } })
  }
  const remove = async (): Promise<void> => {
    const { removeChat } = await loadPart(() => import('./bin/remove-chat.js'))
    if (await removeChat(props.chat)) props.onChange?.(undefined)
  }
  return (
    <>
      <MenuButton name={props.name} items={items()} {...(props.size && { size: props.size })} />
      <Show when={dialog() === 'rename'}>
        <RenameDialog title={titleOf(props.chat)} onClose={() => setDialog(undefined)} onSave={(title) => change({ title })} />
      </Show>
      <Show when={dialog() === 'move'}>
        <MoveDialog
          title={titleOf(props.chat)}
          spaceId={props.chat.space_id}
          onClose={() => setDialog(undefined)}
          onMove={(space_id) => change({ space_id })}
        />
      </Show>
    </>
  )
}

/** Does something at once; a failure is reported in a toast, because the menu is gone. */
function attempt(work: () => Promise<void>): void {
  work().catch((error: unknown) => showToast(errorText(error), { mark: 'fail' }))
}

function download(chatId: string, format: 'json' | 'markdown'): void {
  const link = document.createElement('a')
  link.href = placed(`/api/chats/${encodeURIComponent(chatId)}/export?format=${format}`)
  link.download = `chat-${chatId}.${format === 'json' ? 'json' : 'md'}`
  link.click()
}
