import { createEffect, createSignal, on, onCleanup, onMount, type Signal } from 'solid-js'
import type { Outgoing } from '../outbox/outbox.js'
import { type Attachments, attachmentsOf, moveAttachments } from './attachments.js'

/** A message that is being written. It outlives a reload of the tab. */
export interface Draft {
  readonly text: () => string
  readonly setText: (text: string) => void
  readonly attachments: Attachments
  /** Takes a message back that could not be sent; what is being written stays before it. */
  readonly takeBack: (message: Outgoing) => void
  /** Takes the field in which it is written: it has the focus again after a reload, and where the draft has moved to. */
  readonly attach: (field: HTMLTextAreaElement) => void
  /** Goes on elsewhere; `focused`: the field there gets the focus. */
  readonly moveTo: (key: string, options: { readonly focused: boolean }) => void
}

/** The draft of a chat. */
export const draftKeyOf = (chatId: string): string => `console.draft.${chatId}`

export function createDraft(key: string): Draft {
  const [text, setText] = createText(key)
  const attachments = attachmentsOf(key)
  return {
    text,
    setText: (next) => void setText(next),
    attachments,
    takeBack(message) {
      setText((before) => [before, message.content].filter((each) => each.trim() !== '').join('\n\n'))
      attachments.restore(message.attachments)
    },
    attach(field) {
      onMount(() => focusAgain(key, field))
      const leave = (): void => write(focusKey(key), document.activeElement === field ? 'yes' : '')
      addEventListener('pagehide', leave)
      onCleanup(() => removeEventListener('pagehide', leave))
    },
    moveTo(other, { focused }) {
      write(other, text())
      write(focusKey(other), focused ? 'yes' : '')
      moveAttachments(key, other)
      setText('')
    },
  }
}

const focusKey = (key: string): string => `${key}.focus`

/** The focus at the end of the text, where it was before. */
function focusAgain(key: string, field: HTMLTextAreaElement): void {
  if (read(focusKey(key)) === '') return
  write(focusKey(key), '')
  field.focus({ preventScroll: true })
  field.setSelectionRange(field.value.length, field.value.length)
}

/** What the browser does not store stays until the page is left. */
const unstored = new Map<string, string>()

function createText(key: string): Signal<string> {
  const [text, setText] = createSignal(read(key))
  createEffect(on(text, (value) => write(key, value), { defer: true }))
  return [text, setText]
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? unstored.get(key) ?? ''
  } catch {
    return unstored.get(key) ?? ''
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
    unstored.delete(key)
  } catch {
    unstored.set(key, text)
  }
}
