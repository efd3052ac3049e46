/** One server-sent event. */
export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/**
 * Reads the lines of a `text/event-stream` answer. Comments are passed over; `retry` is reported to
 * `onRetry`, in milliseconds.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>, onRetry: (milliseconds: number) => void): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += value
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const event = eventOf(rest.slice(0, end), onRetry)
        rest = rest.slice(end + 2)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function eventOf(block: string, onRetry: (milliseconds: number) => void): StreamEvent | undefined {
  const found = { id: '', event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([a-z]+):? ?(.*)$/.exec(line) ?? []
    if (name === 'id') found.id = value
    else if (name === 'event') found.event = value
    else if (name === 'data') found.data = found.data === '' ? value : `${found.data}\n${value}`
    else if (name === 'retry') onRetry(Number(value))
  }
  return found.data === '' ? undefined : { ...found, data: JSON.parse(found.data) as unknown }
}
