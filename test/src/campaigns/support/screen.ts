import type { FollowedEvent } from './follower.js'
import type { StoredMessage } from './person.js'

/** What a tab shows of its chats, kept by the rules of the stream alone. */
export interface Screen {
  /** Takes a page of messages that was read. */
  read(messages: readonly StoredMessage[]): void
  /**
   * Takes an event of the stream. `gap`: a delta stands beyond the text, so its chat has to be read
   * again.
   */
  apply(event: FollowedEvent): 'applied' | 'gap'
  /** The message's text, part after part. */
  text(messageId: string): string
  ids(): readonly string[]
}

interface Shown {
  parts: string[]
  /** No delta counts any more. */
  complete: boolean
  /** The position of the page that it was read from: what came before is in it. */
  since: number
}

interface Void {
  readonly message_id: string
  readonly part: number
  readonly offset: number
}

/**
 * Makes an empty screen. `misapply` makes it one that ignores offsets, to see that it is noticed.
 */
export function createScreen(options: { readonly misapply?: 'offsets' | 'voids' } = {}): Screen {
  const messages = new Map<string, Shown>()

  const take = (message: StoredMessage): void => {
    const complete = message.status !== 'open'
    messages.set(message.id, {
      parts: message.content.map((part) => part.text ?? ''),
      complete,
      since: Number(message.event_id ?? 0),
    })
  }

  const forget = (event: FollowedEvent, nothing: Void): void => {
    const shown = messages.get(nothing.message_id)
    if (!shown || shown.complete || event.id <= shown.since) return
    shown.parts = [...shown.parts.slice(0, nothing.part), (shown.parts[nothing.part] ?? '').slice(0, nothing.offset)]
  }

  const write = (event: FollowedEvent): 'applied' | 'gap' => {
    const { data } = event
    const shown = messages.get(String(data['message_id']))
    if (!shown) return 'gap'
    if (shown.complete || event.id <= shown.since) return 'applied'
    const part = Number(data['part'])
    const text = String(data['text'])
    const before = shown.parts[part] ?? ''
    const offset = options.misapply === 'offsets' ? before.length : Number(data['offset'])
    if (offset > before.length) return 'gap'
    while (shown.parts.length < part) shown.parts.push('')
    shown.parts[part] = before.slice(0, offset) + text + before.slice(offset + text.length)
    return 'applied'
  }

  return {
    read: (page) => page.forEach(take),
    apply(event) {
      const nothing = event.data['void'] as Void | undefined
      if (nothing && options.misapply !== 'voids') forget(event, nothing)
      const message = event.data['message'] as StoredMessage
      // One that was read already is older in its event.
      if (event.name === 'message.updated' || (event.name === 'message.created' && !messages.has(message.id))) take(message)
      return event.name === 'text.delta' ? write(event) : 'applied'
    },
    text: (messageId) => (messages.get(messageId)?.parts ?? []).join(''),
    ids: () => [...messages.keys()],
  }
}
