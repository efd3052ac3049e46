import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const holdMs = 30_000

/** A Bot API for any number of idle bots: each poll is held for 30 seconds, as the real one does. */
export async function startIdleTelegram(): Promise<{ readonly root: string; close(): Promise<void> }> {
  const over = new AbortController()
  const server = createServer(async (request, response) => {
    const [, id = '1', method = ''] = /^\/bot(\d+):[^/]+\/(\w+)$/.exec(request.url ?? '') ?? []
    request.resume()
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const signal = AbortSignal.any([over.signal, gone.signal])
    // Ends early with the poll, or with the bench.
    if (method === 'getUpdates') await delay(holdMs, undefined, { signal }).catch(() => undefined)
    const bot = { id: Number(id), is_bot: true, first_name: 'Bot', username: `bot_${id}` }
    const result = method === 'getMe' ? bot : method === 'getUpdates' ? [] : true
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      over.abort()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
