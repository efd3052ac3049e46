import { createEffect, createSignal } from 'solid-js'
import { currentPath, navigate } from './router.js'

const [isAsked, setAsked] = createSignal(false)

/** Goes to the place where chats begin; its field takes the focus. */
export async function beginChat(): Promise<void> {
  await navigate('/')
  if (currentPath() === '/') setAsked(true)
}

/** For that place: `focus` is called each time a chat is to be begun, also if that was asked before the place was there. */
export function onBeginChat(focus: () => void): void {
  createEffect(() => {
    if (!isAsked()) return
    setAsked(false)
    queueMicrotask(focus)
  })
}
