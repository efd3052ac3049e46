import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The tool calls that a person's message asks for, one a turn. The message is this as JSON. */
export type Plan = readonly { readonly tool: string; readonly hangs: number }[]

/**
 * A model provider that knows nothing but what a request tells it: it calls the next tool of the
 * plan, and says “Done.” behind the last.
 */
export interface PlannedUpstream {
  readonly url: string
  /**
   * The requests of the run whose last planned tool is this: what the model was told by its tools
   * before each turn.
   */
  turnsOf(tool: string): readonly (readonly string[])[]
  close(): Promise<void>
}

interface WireMessage {
  readonly role: string
  readonly content: string | readonly { readonly text?: string }[]
}

const textOf = ({ content }: WireMessage): string =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')

/** Behind what a person wrote stands a line with the time. */
const planIn = (message: WireMessage): string => textOf(message).split('\n')[0] ?? ''

const event = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`

export async function startPlannedUpstream(): Promise<PlannedUpstream> {
  const turns: { readonly last: string; readonly results: readonly string[] }[] = []
  let calls = 0
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { messages } = JSON.parse(body) as { readonly messages: readonly WireMessage[] }
      const plan = JSON.parse(messages.filter(({ role }) => role === 'user').map(planIn)[0] ?? '[]') as Plan
      const results = messages.filter(({ role }) => role === 'tool').map(textOf)
      turns.push({ last: plan.at(-1)?.tool ?? '', results })
      const next = plan[results.length]
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (next === undefined) response.write(event({ delta: { content: 'Done.' } }))
      else {
        calls += 1
        const call = { name: next.tool, arguments: JSON.stringify({ hangs: next.hangs }) }
        response.write(event({ delta: { tool_calls: [{ index: 0, id: `call_${calls}`, type: 'function', function: call }] } }))
      }
      response.end(`${event({ delta: {}, finish_reason: next === undefined ? 'stop' : 'tool_calls' })}data: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    turnsOf: (tool) => turns.filter(({ last }) => last === tool).map(({ results }) => results),
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
