import { createEffect, createSignal, on, type Signal } from 'solid-js'
import { type Attachments, attachmentsOf } from './attachments.js'
import type { Outgoing } from './outbox.js'

/** A message that is being written. It outlives a reload of the tab. */
export interface Draft {
  readonly text: () => string
  readonly setText: (text: string) => void
  readonly attachments: Attachments
  /** Takes a message back that could not be sent; what is being written stays before it. */
  readonly takeBack: (message: Outgoing) => void
}

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
  }
}

function createText(key: string): Signal<string> {
  const [text, setText] = createSignal(read(key))
  createEffect(on(text, (value) => write(key, value), { defer: true }))
  return [text, setText]
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    return
  }
}
