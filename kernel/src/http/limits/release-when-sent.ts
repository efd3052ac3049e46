import type { ServerResponse } from 'node:http'

/**
 * Releases what an answer holds once the client has taken all of it, or is gone: what waits for a client that does not read takes memory. A client that
 * takes nothing of an answer for `stalledMs` is dropped.
 */
export function releaseWhenSent(response: ServerResponse, share: { release(): void }, stalledMs: number): void {
  if (response.destroyed || response.writableFinished) {
    share.release()
    return
  }
  response.once('close', () => share.release())
  // Node looks at what the socket still has to send: a slow reader that gets on is left alone.
  if (response.writableEnded) response.setTimeout(stalledMs, () => response.destroy())
}
