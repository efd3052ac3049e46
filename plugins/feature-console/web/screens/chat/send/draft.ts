import { createEffect, createSignal, on, type Signal } from 'solid-js'

/** A text that is being written. It outlives a reload of the tab. */
export function createDraft(key: string): Signal<string> {
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
