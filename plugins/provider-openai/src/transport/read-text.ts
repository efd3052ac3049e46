import type { Response } from 'undici'
import type { CallDeadline } from './deadline.js'

/** Reads at most `limit` bytes of a body as UTF-8; `cut` tells that there was more, which is left unread. */
export async function readText(
  body: Response['body'],
  deadline: CallDeadline,
  limit: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  if (!body) return { text: '', cut: false }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    deadline.waiting()
    const { done, value } = await reader.read()
    deadline.arrived()
    if (done) return { text: text + decoder.decode(), cut: false }
    size += value.byteLength
    text += decoder.decode(value, { stream: true })
    if (size > limit) return { text, cut: true }
  }
}
