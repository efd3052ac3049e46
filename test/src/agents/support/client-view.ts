import type { StreamedEvent } from '../../support/api.js'
import type { SeenMessage } from './agents-kernel.js'

/** What a client has on its screen, kept by the rules of the stream alone. */
export interface ClientView {
  /** Starts from a page of messages. */
  read(messages: readonly SeenMessage[]): void
  /** @throws when a delta leaves a gap. */
  apply(event: StreamedEvent): void
  text(messageId: string): string
}

export function createClientView(): ClientView {
  const messages = new Map<string, string[]>()
  const take = (message: SeenMessage): void =>
    void messages.set(
      message.id,
      message.content.map((part) => part.text ?? ''),
    )
  return {
    read: (page) => page.forEach(take),
    apply({ name, data }) {
      const nothing = data['void'] as { readonly message_id: string; readonly part: number; readonly offset: number } | undefined
      if (nothing) {
        const parts = messages.get(nothing.message_id) ?? []
        messages.set(nothing.message_id, [...parts.slice(0, nothing.part), (parts[nothing.part] ?? '').slice(0, nothing.offset)])
      }
      if (name === 'message.created' || name === 'message.updated') take(data['message'] as unknown as SeenMessage)
      if (name !== 'text.delta') return
      const id = String(data['message_id'])
      const parts = messages.get(id) ?? []
      const part = Number(data['part'])
      const offset = Number(data['offset'])
      const before = parts[part] ?? ''
      if (offset > before.length) throw new Error(`A gap: part ${part} has ${before.length} code units, the delta stands at ${offset}.`)
      const written = before.slice(0, offset) + String(data['text'])
      parts[part] = written.length > before.length ? written : written + before.slice(written.length)
      messages.set(id, parts)
    },
    text: (messageId) => (messages.get(messageId) ?? []).join(''),
  }
}

/** Something that is waited for, opened from outside. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
