// A koa application that hands a provider's stream through as it comes: no accounts, no storage,
// nothing to resume.
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import Koa from 'koa'

const upstream = process.env['UPSTREAM_URL'] ?? ''
const application = new Koa()
application.use(async (context) => {
  const answer = await fetch(`${upstream}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: 'Say something.' }] }),
  })
  context.type = 'text/event-stream'
  context.body = answer.body ? Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]) : ''
})
const server = application.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
