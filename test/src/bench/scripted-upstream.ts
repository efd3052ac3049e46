// A provider that answers every request with the same stream of words, as fast as it is read.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const words = 50
const chunk = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'scripted', object: 'chat.completion.chunk', model: 'scripted', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const pieces = [
  chunk({ role: 'assistant', content: '' }, null),
  ...Array.from({ length: words }, (_, index) => chunk({ content: `word${index} ` }, null)),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
]

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let next = 0
    const write = (): void => {
      const piece = pieces[next]
      next += 1
      if (piece === undefined) return void response.end()
      response.write(piece)
      setImmediate(write)
    }
    write()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
