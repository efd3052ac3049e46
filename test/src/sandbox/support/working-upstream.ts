import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model does next: a call of a tool, or its last words. */
export type Turn = { readonly tool: string; readonly arguments: object } | string

/** A model that decides by what its tools have said so far, and remembers nothing else. */
export interface WorkingUpstream {
  readonly url: string
  /** What the tools have told it in the newest request of a run, by the person's message. */
  resultsOf(message: string): readonly string[]
  /** The bodies of all requests, as they came. */
  readonly received: readonly string[]
  close(): Promise<void>
}

interface WireMessage {
  readonly role: string
  readonly content: string | readonly { readonly text?: string }[]
}

const textOf = ({ content }: WireMessage): string =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n')

const event = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`

/** `plans`: by the message of the person, what to do after these results. */
export async function startWorkingUpstream(
  plans: Readonly<Record<string, (results: readonly string[]) => Turn>>,
): Promise<WorkingUpstream> {
  const seen = new Map<string, readonly string[]>()
  const received: string[] = []
  let calls = 0
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      received.push(body)
      const { messages } = JSON.parse(body) as { readonly messages: readonly WireMessage[] }
      const asked = messages.find(({ role }) => role === 'user')
      // Behind what a person wrote stands a line with the time.
      const message = (asked === undefined ? '' : textOf(asked)).split('\n')[0] ?? ''
      const results = messages.filter(({ role }) => role === 'tool').map(textOf)
      seen.set(message, results)
      const turn = plans[message]?.(results) ?? 'I do not know what to do.'
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (typeof turn === 'string') response.write(event({ delta: { content: turn } }))
      else {
        calls += 1
        const call = { name: turn.tool, arguments: JSON.stringify(turn.arguments) }
        response.write(event({ delta: { tool_calls: [{ index: 0, id: `call_${calls}`, type: 'function', function: call }] } }))
      }
      response.end(`${event({ delta: {}, finish_reason: typeof turn === 'string' ? 'stop' : 'tool_calls' })}data: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    resultsOf: (message) => seen.get(message) ?? [],
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  return text
}
