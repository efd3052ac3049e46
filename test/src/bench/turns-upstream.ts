// A provider that asks for one tool call and, once it has the result, answers with a text, each at
// once. A message that begins with “Look n times” makes it ask n times, one call after the other.
// Where it is offered no tools, it answers at once.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lastWord, words } from './turns-words.js'

interface Message {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[]
}

const data = (content: object): string => `data: ${JSON.stringify(content)}\n\n`
const common = { id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'model-1' }
const chunk = (delta: object, finish: string | null = null): string =>
  data({ ...common, choices: [{ index: 0, delta, finish_reason: finish }] })
const end = `${data({
  ...common,
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: words, total_tokens: 100 + words },
})}data: [DONE]\n\n`
const text = [
  chunk({ role: 'assistant', content: '' }),
  ...Array.from({ length: words - 1 }, (_, index) => chunk({ content: `word${index} ` })),
  chunk({ content: lastWord }),
  chunk({}, 'stop'),
  end,
].join('')

/** A different one each time, as a model would ask. */
const timezones = ['UTC', 'Europe/Vienna', 'Asia/Tokyo', 'America/New_York']
let calls = 0
const call = (done: number): string => {
  calls += 1
  const input = done === 0 ? {} : { timezone: timezones[done % timezones.length] }
  const asked = { index: 0, id: `call_${calls}`, type: 'function', function: { name: 'get_time', arguments: JSON.stringify(input) } }
  return [chunk({ role: 'assistant', content: null, tool_calls: [asked] }), chunk({}, 'tool_calls'), end].join('')
}

const textOf = ({ content = '' }: Message): string =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (piece: string) => {
    body += piece
  })
  request.on('end', () => {
    const { messages, tools = [] } = JSON.parse(body) as { readonly messages: readonly Message[]; readonly tools?: readonly unknown[] }
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    const times = Number(/^Look (\d+) times/.exec(textOf(messages[asked] ?? { role: 'user' }))?.[1] ?? 1)
    const done = messages.slice(asked).filter(({ role }) => role === 'tool').length
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(tools.length > 0 && done < times ? call(done) : text)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
