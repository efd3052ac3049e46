import { createEffect, createSignal } from 'solid-js'
import { currentPath, navigate } from './router.js'

const [isAsked, setAsked] = createSignal(false)
const [temporary, setTemporary] = createSignal(false)

/** Whether the chat that begins next is a temporary one. It is asked for anew for each chat. */
export const isNextTemporary = temporary
/** Decides whether the chat that begins next is a temporary one. */
export const chooseNextTemporary = setTemporary

/** Goes to the place where chats begin; its field takes the focus. */
export async function beginChat(options: { readonly temporary?: boolean } = {}): Promise<void> {
  setTemporary(options.temporary ?? false)
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
