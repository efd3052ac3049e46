import { fileAddress, navigate } from '@agent-service/sdk/web'
import { createSignal } from 'solid-js'

const [shown, setShown] = createSignal<{ readonly path: string; readonly name: string }>()
/** How many places there are now that show it: one, while a chat is open. */
let places = 0
let opener: HTMLElement | undefined

export const besideFile = shown

/**
 * Shows a file beside the chat, in the place of the one that was there: `files/…` or `workspaces/…`.
 * Where no chat is open, the screen of files shows it. Closing it gives the focus back to what had it.
 */
export function showBeside(file: { readonly path: string; readonly name: string }): void {
  if (places === 0) return void navigate(fileAddress(file.path))
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && !activeElement.closest('.beside')) opener = activeElement
  setShown({ path: file.path, name: file.name })
}

export function closeBeside(): void {
  if (shown() === undefined) return
  setShown(undefined)
  // What it was opened from may lie in what could not be reached until now.
  queueMicrotask(() => opener?.isConnected && opener.focus())
}

/** Adds a place that shows it. Returns what takes the place away. */
export function addBesidePlace(): () => void {
  places += 1
  return () => {
    places -= 1
    setShown(undefined)
  }
}
