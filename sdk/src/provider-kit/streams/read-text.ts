import type { CallDeadline } from '../transport/deadline.js'
import type { UpstreamResponse } from '../transport/upstream-response.js'

/** Reads at most `limit` bytes of a body as UTF-8; `cut` says that more was left unread. */
export async function readText(
  response: Pick<UpstreamResponse, 'read'>,
  deadline: CallDeadline,
  limit: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    deadline.waiting()
    const bytes = await response.read()
    deadline.arrived()
    if (!bytes) return { text: text + decoder.decode(), cut: false }
    size += bytes.byteLength
    text += decoder.decode(bytes, { stream: true })
    if (size > limit) return { text, cut: true }
  }
}
