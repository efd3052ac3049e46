// A model whose every word is the moment at which it was said, and beside it the least that a page
// can be: one file whose text node grows with an EventSource of the same words.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const words = 150
const everyMs = 20

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><p id="text">Bare. </p><script>
const node = document.getElementById('text').firstChild
window.ask = () => {
  const source = new EventSource('/events')
  source.onmessage = ({ data }) => { if (data === 'end') source.close(); else node.appendData(JSON.parse(data)) }
}
</script></html>`

async function speak(response: ServerResponse, eventOf: (text: string) => string, end: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const begin = performance.now()
  for (let word = 0; word < words && !response.destroyed; word += 1) {
    response.write(eventOf(`‹${(performance.timeOrigin + performance.now()).toFixed(1)}› `))
    await setTimeout(Math.max(0, begin + (word + 1) * everyMs - performance.now()))
  }
  response.end(end)
}

const chunk = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.method === 'POST')
      void speak(response, (text) => chunk({ delta: { content: text } }), `${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
    else if (request.url === '/events') void speak(response, (text) => `data: ${JSON.stringify(text)}\n\n`, 'data: end\n\n')
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
