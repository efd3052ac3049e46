// A koa application with one route: what a process costs that does nothing of what the service
// does.
import type { AddressInfo } from 'node:net'
import Koa from 'koa'

const application = new Koa()
application.use((context) => {
  context.body = { status: 'ok' }
})
const server = application.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
