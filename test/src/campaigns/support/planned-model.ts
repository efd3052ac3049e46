import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../../support/random.js'
import { longText, piecesOf } from './long-text.js'

/** What a run is to do; as JSON it is what the person writes. */
export interface Plan {
  readonly name: string
  /** The calls of each turn. */
  readonly turns: readonly (readonly { readonly tool: string; readonly pause: number }[])[]
  /** The person writes something more while the calls go on. */
  readonly note: boolean
  /** How the last model call ends. */
  readonly ends: 'answer' | 'refusal'
}

/** A model that knows nothing but what a request tells it, and a receiver that has each effect once for a key. They outlive the service. */
export interface PlannedModel {
  readonly url: string
  readonly receiver: string
  /** What it said in each attempt at a turn; by `<plan>/<turn>`. */
  readonly said: ReadonlyMap<string, readonly string[]>
  /** The keys of the effects that the receiver had. */
  readonly effects: ReadonlySet<string>
  /** Requests that contradict an earlier one for the same turn. */
  readonly problems: readonly string[]
  /** Answers without any pause from now on. */
  hurry(): void
  close(): Promise<void>
}

interface WireMessage {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[] | null
}

export const refusalText = 'This model has had enough.'

export async function startPlannedModel(random: Random): Promise<PlannedModel> {
  const said = new Map<string, string[]>()
  const asked = new Map<string, string>()
  const effects = new Set<string>()
  const problems: string[] = []
  let calls = 0
  let hurried = false

  const answer = async (response: ServerResponse, messages: readonly WireMessage[]): Promise<void> => {
    const begin = messages.findLastIndex((message) => message.role === 'user' && planIn(message) !== undefined)
    const plan = JSON.parse(planIn(messages[begin]) ?? '') as Plan
    const turn = messages.slice(begin).filter(({ role }) => role === 'assistant').length
    const place = `${plan.name}/${turn}`
    const request = JSON.stringify(messages.slice(begin + 1).filter(({ role }) => role === 'assistant' || role === 'tool'))
    const before = asked.get(place)
    if (before !== undefined && before !== request) problems.push(`${place} was asked for again with another conversation`)
    asked.set(place, request)
    const next = plan.turns[turn]
    if (next === undefined && plan.ends === 'refusal') {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: refusalText } }))
      return
    }
    const attempts = said.get(place) ?? []
    said.set(place, attempts)
    const text = `${place}#${attempts.length} ${longText(`${place}#${attempts.length}`, random.between(1, 60))}`
    attempts.push(text)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const content of piecesOf(text, random, 30)) {
      response.write(event({ delta: { content } }))
      if (!hurried) await setTimeout(random.between(0, 12))
    }
    for (const [index, { tool, pause }] of (next ?? []).entries()) {
      calls += 1
      const call = { name: tool, arguments: JSON.stringify({ pause }) }
      response.write(event({ delta: { tool_calls: [{ index, id: `call_${calls}`, type: 'function', function: call }] } }))
    }
    response.end(`${event({ delta: {}, finish_reason: next === undefined ? 'stop' : 'tool_calls' })}data: [DONE]\n\n`)
  }

  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    effects.add(String(request.headers['idempotency-key']))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }

  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void bodyOf(request).then((body) => {
      if (body === undefined) return
      if (request.url === '/receiver') receive(request, response)
      else
        answer(response, (JSON.parse(body) as { readonly messages: readonly WireMessage[] }).messages).catch((error: unknown) => {
          problems.push(`the model was asked for something that is no plan: ${String(error)}`)
          response.destroy()
        })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${address}/v1`,
    receiver: `${address}/receiver`,
    said,
    effects,
    problems,
    hurry: () => {
      hurried = true
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const event = (content: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...content }] })}\n\n`

const textOf = (message: WireMessage | undefined): string => {
  const content = message?.content ?? ''
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
}

/** The line of a message that is a plan. Beside it there may be what the service tells the model. */
const planIn = (message: WireMessage | undefined): string | undefined =>
  textOf(message)
    .split('\n')
    .find((text) => text.startsWith('{"name":'))

/** `undefined` when the sender has gone. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  try {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string
    return text
  } catch {
    return undefined
  }
}
