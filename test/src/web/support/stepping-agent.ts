import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { endOf, type Person } from '../../agents/support/agents-kernel.js'
import { callsWith } from '../../agents/support/long-chats.js'
import { resultsIn, says, setScript } from '../../agents/support/scripted-plugin.js'
import type { StreamedEvent } from '../../support/api.js'

/** What a model does next, from what the tool before has said. */
export type Step = (seen: string) => readonly [tool: string, input: JsonObject]

/** What came of steps. */
export interface Walk {
  readonly chatId: string
  /** What each tool has said, in order. */
  readonly results: readonly string[]
  /** All that the model was sent. */
  readonly requests: readonly ModelRequest[]
  readonly events: readonly StreamedEvent[]
  /** The questions that the person was asked, all of which were answered with `answer`. */
  readonly asked: readonly string[]
}

/** The ref of the first line of a snapshot that has this text. */
export function refOf(seen: string, of: string): string {
  const line = seen.split('\n').find((each) => each.includes(of) && each.includes('[ref='))
  const ref = /\[ref=(e\d+)\]/.exec(line ?? '')?.[1]
  if (ref === undefined) throw new Error(`No element “${of}” in:\n${seen}`)
  return ref
}

/** Has the person's agent take these steps in a new chat, one after the other. */
export async function walk(person: Person, steps: readonly Step[], answer: string): Promise<Walk> {
  let failure: unknown
  const script = setScript({
    answer(request) {
      const results = textsOf(request)
      const step = steps[results.length]
      try {
        return step === undefined ? says('Done.') : callsWith(...step(results.at(-1) ?? ''))
      } catch (error) {
        failure = error
        throw error
      }
    },
  })
  const chatId = await person.newChat()
  const stream = await person.stream({ chatId })
  const runId = await person.post(chatId, 'Go on.')
  const asked: string[] = []
  const isNext = ({ name, data }: StreamedEvent): boolean =>
    (data['run_id'] === runId && name === 'approval.requested') ||
    (data['run_id'] === runId && ['run.completed', 'run.failed', 'run.cancelled'].includes(name))
  let from = 0
  for (let event = await stream.next(from, isNext); event.name === 'approval.requested'; event = await stream.next(from, isNext)) {
    from = stream.events.indexOf(event) + 1
    const { call_id: callId, ...approval } = event.data['approval'] as { readonly call_id: string }
    asked.push(JSON.stringify(approval))
    await person.request('POST', `/api/runs/${runId}/approvals/${callId}`, { decision: 'answer', note: answer })
  }
  const end = await endOf(stream, runId)
  stream.close()
  if (failure !== undefined) throw failure
  if (end.name !== 'run.completed') throw new Error(`The run ended with ${end.name}: ${JSON.stringify(end.data)}`)
  const last = script.requests.at(-1)
  return { chatId, results: last === undefined ? [] : textsOf(last), requests: script.requests, events: stream.events, asked }
}

const textsOf = (request: ModelRequest): readonly string[] =>
  resultsIn(request).map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'))
