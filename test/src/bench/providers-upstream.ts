// A provider that answers every request with the same stream of 60 events, in the protocol of its
// path, as fast as it is read.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const words = 56
const data = (content: object): string => `data: ${JSON.stringify(content)}\n\n`
const word = (index: number): string => `word${index} `

const chunk = (delta: object, finish: string | null = null): string =>
  data({
    id: 'scripted',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'model-1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
const completions = [
  chunk({ role: 'assistant', content: '' }),
  ...Array.from({ length: words }, (_, index) => chunk({ content: word(index) })),
  chunk({}, 'stop'),
  data({
    id: 'scripted',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'model-1',
    choices: [],
    usage: { prompt_tokens: 5, completion_tokens: words, total_tokens: 5 + words },
  }),
  'data: [DONE]\n\n',
]

const event = (type: string, content: object): string => `event: ${type}\n${data({ type, ...content })}`
const messages = [
  event('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'model-1',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ...Array.from({ length: words - 1 }, (_, index) =>
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: word(index) } }),
  ),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: words } }),
  event('message_stop', {}),
]

const server = createServer((request, response) => {
  const pieces = request.url?.includes('completions') ? completions : messages
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
