import { createSignal, type Signal } from 'solid-js'

/** The texts of parts that are being written. Changes reach the screen once in an animation frame. */
export interface LiveTexts {
  /** The text of a part as the screen shows it. */
  shown(messageId: string, part: number): string
  /** Takes a text as the service has it. */
  set(messageId: string, part: number, text: string): void
  /**
   * Writes a delta over what stands at its offset, and never shortens. False when text before it is
   * missing.
   */
  write(messageId: string, part: number, offset: number, text: string): boolean
  /** Forgets what follows the offset in that part. */
  cut(messageId: string, part: number, offset: number): void
  /**
   * The message is written anew from its beginning. What it shows of before stays until as much has
   * come again, or the text is set.
   */
  beginAgain(messageId: string): void
  /** Drops the texts of messages that are no longer shown. */
  forget(messageIds: readonly string[]): void
  /** Shows nothing more; for the end of the screen. */
  stop(): void
}

interface Entry {
  text: string
  /** Nothing shorter is shown. */
  least: number
  readonly shown: Signal<string>
}

export function createLiveTexts(): LiveTexts {
  const entries = new Map<string, Entry>()
  const changed = new Set<Entry>()
  let frame: number | undefined

  const flush = (): void => {
    frame = undefined
    for (const entry of changed) {
      if (entry.text.length < entry.least) continue
      entry.least = 0
      entry.shown[1](entry.text)
    }
    changed.clear()
  }
  const entryOf = (messageId: string, part: number): Entry => {
    const key = `${messageId}:${part}`
    const known = entries.get(key) ?? { text: '', least: 0, shown: createSignal('') }
    entries.set(key, known)
    return known
  }
  const change = (entry: Entry, text: string): void => {
    if (entry.text === text) return
    entry.text = text
    changed.add(entry)
    frame ??= requestAnimationFrame(flush)
  }
  return {
    shown: (messageId, part) => entryOf(messageId, part).shown[0](),
    set(messageId, part, text) {
      const entry = entryOf(messageId, part)
      entry.text = text
      entry.least = 0
      changed.delete(entry)
      entry.shown[1](text)
    },
    write(messageId, part, offset, text) {
      const entry = entryOf(messageId, part)
      const before = entry.text
      if (offset > before.length) return false
      const end = offset + text.length
      change(entry, before.slice(0, offset) + text + before.slice(end))
      return true
    },
    cut(messageId, part, offset) {
      const entry = entryOf(messageId, part)
      entry.least = 0
      change(entry, entry.text.slice(0, offset))
    },
    beginAgain(messageId) {
      for (const [key, entry] of entries) {
        if (!key.startsWith(`${messageId}:`)) continue
        entry.text = ''
        entry.least = entry.shown[0]().length
        changed.delete(entry)
      }
    },
    forget(messageIds) {
      const gone = new Set(messageIds)
      for (const key of entries.keys()) if (gone.has(key.slice(0, key.lastIndexOf(':')))) entries.delete(key)
    },
    stop() {
      if (frame !== undefined) cancelAnimationFrame(frame)
      frame = undefined
      changed.clear()
      entries.clear()
    },
  }
}
