import type { CallDeadline } from './deadline.js'

/** Reads at most `limit` bytes of a body as UTF-8; `cut` tells that there was more. */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  deadline: CallDeadline,
  limit: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  if (!body) return { text: '', cut: false }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await deadline.during(reader.read())
    if (done) return { text: text + decoder.decode(), cut: false }
    size += value.byteLength
    text += decoder.decode(value, { stream: true })
    if (size > limit) return { text, cut: true }
  }
}
