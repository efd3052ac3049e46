import type { JsonObject } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import { unsupportedParameterError } from '../openai-error.js'

/** The members of a request that were there before `tools`, by which older clients offer functions. */
interface FunctionMembers {
  readonly functions?: readonly unknown[] | null
  readonly tools?: readonly unknown[] | null
}

/** Whether a request offers functions in the form before `tools`. @throws if it has both forms. */
export function offersFunctions({ functions, tools }: FunctionMembers): boolean {
  if (!functions || functions.length === 0) return false
  if (tools && tools.length > 0)
    throw unsupportedParameterError.create({ param: 'functions', reason: 'stands beside tools. Send one of them.' })
  return true
}

/** A completion or a chunk with the first call as `function_call`; clients of this form know one call. */
export function inFunctionForm(answer: JsonObject): JsonObject {
  const choices = (answer['choices'] as readonly JsonObject[]).map((choice) => {
    const isCalls = choice['finish_reason'] === 'tool_calls'
    const member = 'message' in choice ? 'message' : 'delta'
    return {
      ...choice,
      [member]: messageInFunctionForm(choice[member] as JsonObject),
      ...(isCalls && { finish_reason: 'function_call' }),
    }
  })
  return { ...answer, choices }
}

function messageInFunctionForm(message: JsonObject): JsonObject {
  const { tool_calls: calls, ...others } = message
  const [first] = (calls ?? []) as readonly JsonObject[]
  const isFirst = first !== undefined && (first['index'] ?? 0) === 0
  return isFirst ? { ...others, function_call: first['function'] as JsonObject } : others
}

/** The events of a stream in the same form. */
export async function* streamInFunctionForm(events: AsyncIterable<ServerSentEvent>): AsyncGenerator<ServerSentEvent, void, undefined> {
  for await (const event of events) {
    const chunk = 'data' in event && event.data.startsWith('{') ? (JSON.parse(event.data) as JsonObject) : undefined
    yield chunk?.['choices'] ? { ...event, data: JSON.stringify(inFunctionForm(chunk)) } : event
  }
}
