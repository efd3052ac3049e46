/** An event stream that is read to its end. */
export interface OpenStream {
  readonly status: number
  /** Everything that has come. */
  text(): string
  /** Resolves once the text fits; rejects when the stream ends before. */
  shows(pattern: RegExp): Promise<void>
  /** Resolves when the service has ended it. */
  readonly ended: Promise<void>
  close(): void
}

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
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const bytes of answer.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      tell()
    }
  }
  // The service ends a stream by its end or by the end of the connection.
  const ended = read()
    .catch(() => undefined)
    .then(() => {
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
