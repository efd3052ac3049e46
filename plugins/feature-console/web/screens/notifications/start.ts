import { createEffect, createRoot, on } from 'solid-js'
import { api } from '../../api/client.js'
import { onEvent } from '../../api/events.js'
import { isProblem } from '../../api/problem.js'
import { addScreenCount } from '../../app/contributions.js'
import { currentPath, navigate } from '../../app/router.js'
import { currentProfile } from '../../app/session.js'
import { showToast } from '../../ui/notices.js'
import { t } from './texts.js'
import { noteUnread, unread } from './unread.js'

let isStarted = false

/** The number beside the bell, and a quiet word when something arrives while the page is seen. */
export function start(): void {
  if (isStarted) return
  isStarted = true
  addScreenCount('notifications', { count: unread, label: (count) => t('unread_count', { count }) })
  createRoot(() =>
    createEffect(
      on(
        () => currentProfile()?.id,
        (id) => void (id === undefined ? noteUnread(0) : readCount()),
      ),
    ),
  )
  onEvent('reset', () => void readCount())
  onEvent('notification.updated', ({ data }) => noteUnread(data.unread))
  onEvent('notification.created', ({ data }) => {
    noteUnread(data.unread)
    if (document.visibilityState !== 'visible' || currentPath().startsWith('/notifications')) return
    showToast(data.title, { mark: 'dot', action: { label: t('show'), run: () => void navigate('/notifications') } })
  })
}

/** The number is left as it is if it cannot be read; the screen says why. */
async function readCount(): Promise<void> {
  try {
    noteUnread((await api.get('/api/notifications', { query: { limit: 1 } })).unread)
  } catch (error) {
    if (!isProblem(error)) throw error
  }
}
