import { createParser } from 'eventsource-parser'
import type { StreamedEvent } from '../../support/api.js'

/** A stream of events as it comes over the wire, with what a parser for pages would hide. */
export interface RawStream {
  readonly status: number
  readonly events: readonly StreamedEvent[]
  /** The last `retry:`, in milliseconds. */
  readonly retry: number | undefined
  /**
   * Resolves with the first event, past or to come, that fits. Rejects when the stream ends before
   * it, or after a minute.
   */
  until(fits: (event: StreamedEvent) => boolean): Promise<StreamedEvent>
  /** Resolves when the service has ended the stream in order, and rejects when it broke off. */
  readonly ended: Promise<void>
  close(): void
}

/** Opens `path` on the service; rejects when what comes is no stream. */
export async function openStream(url: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawStream> {
  const controller = new AbortController()
  const answer = await fetch(`${url}${path}`, { headers, signal: controller.signal })
  if (!answer.ok || !answer.body) throw new Error(`The stream answered ${answer.status}: ${await answer.text()}`)
  const events: StreamedEvent[] = []
  const watching = new Set<() => void>()
  let retry: number | undefined
  const parser = createParser({
    onRetry: (milliseconds) => {
      retry = milliseconds
    },
    onEvent: ({ id, event, data }) => {
      events.push({ id, name: event ?? 'message', data: JSON.parse(data) as Record<string, unknown> })
      for (const look of [...watching]) look()
    },
  })
  const body = answer.body
  const ended = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of body) parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }))
  })()
  // A caller that waits for the end gets its error; waiting is optional.
  ended.catch(() => undefined)

  return {
    status: answer.status,
    events,
    ended,
    get retry() {
      return retry
    },
    close: () => controller.abort(),
    until: (fits) =>
      new Promise((resolve, reject) => {
        const seen = (): string => events.map(({ name }) => name).join(', ')
        const finish = (settle: () => void): void => {
          clearTimeout(timer)
          watching.delete(look)
          settle()
        }
        const look = (): void => {
          const event = events.find(fits)
          if (event) finish(() => resolve(event))
        }
        const timer = setTimeout(() => finish(() => reject(new Error(`No such event within a minute. Seen: ${seen()}`))), 60_000)
        watching.add(look)
        look()
        const over = (): void => finish(() => reject(new Error(`The stream ended before such an event. Seen: ${seen()}`)))
        ended.then(over, over)
      }),
  }
}
