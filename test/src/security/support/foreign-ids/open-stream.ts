import { inspect } from 'node:util'

/** An event stream that is read to its end. */
export interface OpenStream {
  readonly status: number
  /** Everything that has come. */
  text(): string
  /** Resolves once the text fits; rejects when the stream ends before. */
  shows(pattern: RegExp): Promise<void>
  /** Resolves once it is over, with how. */
  readonly ended: Promise<StreamEnd>
  close(): void
}

/**
 * How a stream ended: `complete` when its last piece came, as of every answer that the service ends;
 * otherwise the connection broke, of which `error` tells.
 */
export type StreamEnd = { readonly how: 'complete' } | { readonly how: 'broken'; readonly error: string }

export async function openStream(
  address: string,
  headers: Readonly<Record<string, string>>,
  request: RequestInit = {},
): Promise<OpenStream> {
  const controller = new AbortController()
  const answer = await fetch(address, { ...request, headers: { ...headers }, signal: controller.signal })
  let text = ''
  let isOver = false
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const read = async (): Promise<StreamEnd> => {
    const decoder = new TextDecoder()
    try {
      for await (const bytes of answer.body ?? []) {
        text += decoder.decode(bytes, { stream: true })
        tell()
      }
      return { how: 'complete' }
    } catch (error) {
      return { how: 'broken', error: inspect(error) }
    }
  }
  const ended = read().finally(() => {
    isOver = true
    tell()
  })
  return {
    status: answer.status,
    text: () => text,
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(text)) resolve()
          else if (isOver) reject(new Error(`The stream ended before ${String(pattern)}: ${text.slice(-1_000)}`))
          else return
          listeners.delete(look)
        }
        listeners.add(look)
        look()
      }),
    ended,
    close: () => controller.abort(),
  }
}
