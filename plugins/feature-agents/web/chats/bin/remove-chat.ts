import { confirmAction, currentPath, errorText, navigate, showToast } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'
import { deletedHere } from './deleted-here.js'
import { t } from './texts.js'

type Chat = Schemas['Chat']

/**
 * Deletes a chat. One that can be restored goes at once, and the toast takes that back; otherwise the
 * person is asked first. False: they keep it.
 */
export async function removeChat({ id, title: own, hidden, message_count, branch_count }: Chat): Promise<boolean> {
  const title = own ?? t('untitled')
  const isEmpty = message_count === 0 && branch_count === 1
  const isRestorable = !hidden && !isEmpty && (await api.get('/api/chats/bin', { query: { limit: 1 } })).keep_days > 0
  if (!isRestorable && !isEmpty && !(await confirmErasure(title))) return false
  const path = `/chats/${id}`
  const wasOpen = currentPath() === path
  deletedHere.add(id)
  try {
    await api.delete('/api/chats/{chat_id}', { path: { chat_id: id } })
  } catch (error) {
    deletedHere.delete(id)
    throw error
  }
  const undo = async (): Promise<void> => {
    await restoreChat(id)
    if (wasOpen && currentPath() === '/') await navigate(path)
  }
  showToast(t('deleted', { title }), isRestorable ? { action: { label: t('undo'), run: () => reported(undo()) } } : {})
  if (wasOpen && currentPath() === path) await navigate('/', { replace: true })
  return true
}

/** Asks before something that cannot be undone. */
export const confirmErasure = (title: string): Promise<boolean> =>
  confirmAction({ title: t('erase_question', { title }), text: t('erase_text'), action: t('erase'), keep: t('keep') })

/** Brings a deleted chat back; events tell the lists. */
export async function restoreChat(id: string): Promise<void> {
  await api.post('/api/chats/bin/{chat_id}/restore', { path: { chat_id: id } })
  deletedHere.delete(id)
}

function reported(work: Promise<void>): void {
  work.catch((error: unknown) => showToast(errorText(error), { mark: 'fail' }))
}
