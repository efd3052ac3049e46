import { namedObject, type Static, Type } from '@agent-service/sdk'
import { madeFileSchema } from '../store/chats/made-file.js'
import { resultPartSchema } from '../store/chats/part-schemas.js'
import type { RunStep } from '../store/runs/run-step.js'

const nullableText = Type.Union([Type.String(), Type.Null()])

/** A tool call of a run in a response. */
export const runCallSchema = namedObject('RunCall', {
  call_id: Type.String(),
  message_id: Type.String(),
  part: Type.Integer({ description: 'The index of the call in its message.' }),
  name: Type.String(),
  started_at: nullableText,
  finished_at: nullableText,
  is_error: Type.Boolean(),
  outcome: Type.Optional(Type.Literal('unknown', { description: 'The call may or may not have had its effect.' })),
  content: Type.Optional(
    Type.Array(resultPartSchema, { description: 'The result, until the message with all results of the turn is stored.' }),
  ),
  files: Type.Optional(
    Type.Array(madeFileSchema, {
      description: 'What it made or changed, until the message with all results of the turn is stored, which has it as `made_files`.',
    }),
  ),
  output: Type.Optional(
    namedObject(
      'ShownOutput',
      { offset: Type.Integer({ description: 'In the whole output, in UTF-16 code units.' }), text: Type.String() },
      { description: 'Of a call in progress: the end of what it has printed so far.' },
    ),
  ),
})

export type RunCall = Static<typeof runCallSchema>

/** The most calls that are reported; the newest of a run that has more. */
const maxCalls = 200

/** The calls of a run by its steps, in the order in which the model asked for them. */
export function callsOf(
  steps: readonly RunStep[],
  liveOutput: (callId: string) => { readonly offset: number; readonly text: string } | undefined,
): readonly RunCall[] {
  const calls = new Map<string, RunCall>()
  const change = (callId: string, members: Partial<RunCall>): void => {
    const call = calls.get(callId)
    if (call) calls.set(callId, { ...call, ...members })
  }
  for (const { body, at } of steps) {
    if (body.type === 'tool.planned') {
      const { call_id, message_id, part, name } = body
      calls.set(call_id, { call_id, message_id, part, name, started_at: null, finished_at: null, is_error: false })
    } else if (body.type === 'tool.started') change(body.call_id, { started_at: at })
    else if (body.type === 'tool.completed') {
      const { is_error = false, outcome, content } = body.result
      change(body.call_id, {
        ...{ finished_at: at, is_error, content: [...content] as RunCall['content'] & object },
        ...(outcome && { outcome }),
        ...(body.files && { files: [...body.files] }),
      })
    } else if (body.type === 'tools.answered')
      for (const [callId, { content: _, files: __, ...call }] of calls) if (call.finished_at !== null) calls.set(callId, call)
  }
  return [...calls.values()].slice(-maxCalls).map((call) => {
    const output = call.finished_at === null ? liveOutput(call.call_id) : undefined
    return output ? { ...call, output } : call
  })
}
