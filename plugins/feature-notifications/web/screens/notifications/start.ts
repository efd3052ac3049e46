import {
  addScreenCount,
  currentPath,
  currentProfile,
  isProblem,
  loadPart,
  navigate,
  onOpenedLink,
  recall,
  showToast,
} from '@agent-service/sdk/web'
import { createEffect, on, onCleanup } from 'solid-js'
import { onEvent } from '../../api/index.js'
import { t } from './texts.js'
import { forgetInbox, hasDevices, noteUnread, readInbox, unread } from './unread.js'

/** The number beside the bell, and a quiet word when something arrives while the page is seen. */
export function start(): void {
  const presence = keptPresence()
  addScreenCount('notifications', { count: unread, label: (count) => t('unread_count', { count }) })
  createEffect(
    on(
      () => currentProfile()?.id,
      (id) => void (id === undefined ? forgetInbox() : begin(id)),
    ),
  )
  createEffect(() => showBadge(unread()))
  createEffect(() => void (hasDevices() && presence.begin().catch(reportUnlessProblem)))
  onCleanup(onOpenedLink((link) => void navigate(link)))
  onCleanup(onEvent('notification.updated', ({ data }) => noteUnread(data.unread)))
  onCleanup(
    onEvent('notification.created', ({ data }) => {
      noteUnread(data.unread)
      if (document.visibilityState !== 'visible' || currentPath().startsWith('/notifications')) return
      showToast(data.title, { mark: 'dot', action: { label: t('show'), run: () => void navigate('/notifications') } })
    }),
  )
  onCleanup(() => {
    showBadge(0)
    presence.end()
  })
}

async function begin(userId: string): Promise<void> {
  await readInbox()
  if (recall('push') === undefined) return
  const { keepPush } = await loadPart(() => import('./push-browser.js'))
  await keepPush(userId).catch(reportUnlessProblem)
}

/** On the icon of the installed app. */
function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return
  // Refused where no app is installed: then there is nothing to show it on.
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined)
}

/** The signs that this page is seen: begun once, and never after the end. */
function keptPresence(): { readonly begin: () => Promise<void>; readonly end: () => void } {
  let isOver = false
  let stop: (() => void) | undefined
  return {
    begin: async () => {
      const { startPresence } = await loadPart(() => import('./presence.js'))
      if (!isOver) stop ??= startPresence()
    },
    end: () => {
      isOver = true
      stop?.()
    },
  }
}

function reportUnlessProblem(error: unknown): void {
  if (!isProblem(error)) reportError(error)
}
