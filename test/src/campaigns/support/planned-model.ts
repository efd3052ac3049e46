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
  /**
   * Its answers are so long that older messages have to be summarised: `budget`: before the service
   * asks beyond the window that it knows of; `overflow`: because the model takes less than that,
   * and refuses. Absent: its answers are short.
   */
  readonly outgrows?: 'budget' | 'overflow'
}

/**
 * A model that knows only the content of a request, and writes summaries when ordered to; and a
 * receiver that has each effect once for a key. They outlive the service.
 */
export interface PlannedModel {
  readonly url: string
  readonly receiver: string
  /** What it said in each attempt at a turn; by `<plan>/<turn>`. */
  readonly said: ReadonlyMap<string, readonly string[]>
  /** The summaries that it wrote, in order, no two the same; by the name of the plan. */
  readonly summarised: ReadonlyMap<string, readonly string[]>
  /** The keys of the effects that the receiver had. */
  readonly effects: ReadonlySet<string>
  /** Requests that contradict an earlier one of the same run. */
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
/**
 * The most that a model takes which refuses what is too long: its own answers in one request, in
 * UTF-16 code units. Two long ones are about that.
 */
const mostAnswered = 3_000
const tooLong = { message: 'This conversation is too long.', code: 'context_length_exceeded' }

export async function startPlannedModel(random: Random): Promise<PlannedModel> {
  const said = new Map<string, string[]>()
  const asked = new Map<string, string>()
  const summarised = new Map<string, string[]>()
  /** What each plan's conversation began with, in order; by the name of the plan. */
  const begun = new Map<string, string[]>()
  const effects = new Set<string>()
  const problems: string[] = []
  let calls = 0
  let hurried = false

  const refuse = (response: ServerResponse, error: object): void =>
    void response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))

  /**
   * With the plan and how far it has come, so that the plan can be followed from this text alone.
   * Every fourth order is refused where the run can go on without: older turns are left out then,
   * and where there is a note, the plan may be one of them.
   */
  const summarise = (response: ServerResponse, order: string): void => {
    const line = planIn(order)
    if (line === undefined) throw new Error('the material of a summary has no plan')
    const { name, note, outgrows } = JSON.parse(line) as Plan
    if (outgrows === 'budget' && !note && random.next() < 1 / 4) {
      refuse(response, { message: refusalText })
      return
    }
    const written = summarised.get(name) ?? []
    summarised.set(name, written)
    const done = [...order.matchAll(answerPlaces)].map(([, turn]) => Number(turn))
    const progress = done.length === 0 ? 'Nothing is answered.' : `The newest answer is ${name}/${Math.max(...done)}#.`
    const text = `Summary ${written.length} of this plan:\n${line}\n${progress}`
    written.push(text)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${event({ delta: { content: text } })}${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
  }

  /**
   * A turn is asked for with the same conversation each time, unless a new summary stands at its
   * beginning; and no older one comes back.
   */
  const compare = (place: string, plan: Plan, messages: readonly WireMessage[]): void => {
    const beginning = textOf(messages.find((message) => textOf(message).startsWith('[Summary of the conversation')))
    const beginnings = begun.get(plan.name) ?? ['']
    begun.set(plan.name, beginnings)
    if (!beginnings.includes(beginning)) beginnings.push(beginning)
    if (beginnings.at(-1) !== beginning) problems.push(`${place} was asked for without the newest summary`)
    const request = JSON.stringify(messages.filter(({ role }) => role === 'assistant' || role === 'tool'))
    const key = `${place} ${beginnings.length}`
    const before = asked.get(key)
    if (before !== undefined && before !== request) problems.push(`${place} was asked for again with another conversation`)
    asked.set(key, request)
  }

  const answer = async (response: ServerResponse, messages: readonly WireMessage[]): Promise<void> => {
    if (textOf(messages[0]).startsWith('You write the summary')) return summarise(response, textOf(messages[1]))
    const begin = messages.findLastIndex((message) => message.role === 'user' && planIn(textOf(message)) !== undefined)
    const plan = JSON.parse(planIn(textOf(messages[begin])) ?? '') as Plan
    const answers = messages.slice(begin).filter(({ role }) => role === 'assistant')
    const turn = turnBehind(answers.at(-1) ?? messages[begin])
    const place = `${plan.name}/${turn}`
    compare(place, plan, messages)
    if (plan.outgrows === 'overflow' && answers.map(textOf).join('').length > mostAnswered) return refuse(response, tooLong)
    const next = plan.turns[turn]
    if (next === undefined && plan.ends === 'refusal') return refuse(response, { message: refusalText })
    const attempts = said.get(place) ?? []
    said.set(place, attempts)
    const length = plan.outgrows === undefined ? random.between(1, 60) : random.between(700, 1_000)
    const text = `${place}#${attempts.length} ${longText(`${place}#${attempts.length}`, length)}`
    attempts.push(text)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const content of piecesOf(text, random, Math.max(30, Math.ceil(length / 10)))) {
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
    summarised,
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

/** The line of a text that is a plan. The service may add other lines. */
const planIn = (text: string): string | undefined => text.split('\n').find((line) => line.startsWith('{"name":'))

/** The place that each answer begins with, `run-7/2#0`, also where a text speaks of it. */
const answerPlaces = /\brun-\d+\/(\d+)#/g

/**
 * Which turn follows an answer, by the place that it begins with, or a summary, by the one that it
 * names.
 */
function turnBehind(message: WireMessage | undefined): number {
  const [first] = textOf(message).matchAll(answerPlaces)
  return first === undefined ? 0 : Number(first[1]) + 1
}

/** `undefined` when the sender has disconnected. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  try {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string
    return text
  } catch {
    return undefined
  }
}
