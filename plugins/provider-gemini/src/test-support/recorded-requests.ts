import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import type { Recording } from '@agent-service/sdk/testing'
import { geminiRequest } from './adapter.js'

type Content = Extract<ModelMessage, { role: 'assistant' }>['content'][number]
type Results = Extract<ModelMessage, { role: 'tool' }>['content']
type Objects = readonly JsonObject[]

/** The model of a recording, from its address. */
export const modelOf = ({ url }: Recording): string => /models\/([^:]+):/.exec(url ?? '')?.[1] ?? 'gemini-3-pro'

/**
 * The request that a recorded body was made of: the conversation in the project's words. `answers`
 * replace assistant turns, oldest first.
 */
export function requestOf(
  baseUrl: string,
  recording: Recording,
  body: JsonObject,
  answers: readonly (readonly Content[])[] = [],
): ModelRequest {
  const model = modelOf(recording)
  const left = [...answers]
  let calls: readonly Content[] = []
  const messages = (body['contents'] as Objects).map((content, turn): ModelMessage => {
    const parts = content['parts'] as Objects
    if (content['role'] === 'model') {
      calls = left.shift() ?? parts.map((part, index) => modelPart(part, model, `ours-${turn}-${index}`))
      return { role: 'assistant', content: calls }
    }
    const asked = calls.flatMap((call) => (call.type === 'tool_call' ? [call.call_id] : []))
    if (parts.some((part) => part['functionResponse']))
      return { role: 'tool', content: parts.map((part, index) => resultPart(part, asked[index] ?? '')) }
    return { role: 'user', content: parts.map(({ text }) => ({ type: 'text', text: String(text) })) }
  })
  const instruction = (body['systemInstruction'] as JsonObject | undefined)?.['parts'] as Objects | undefined
  const system: ModelMessage = { role: 'system', content: (instruction ?? []).map(({ text }) => ({ type: 'text', text: String(text) })) }
  const { thinkingConfig, responseJsonSchema } = (body['generationConfig'] ?? {}) as JsonObject
  const tools = ((body['tools'] as Objects | undefined) ?? []).flatMap((group) => group['functionDeclarations'] as Objects)
  const { includeThoughts, ...native } = (thinkingConfig ?? {}) as JsonObject
  return geminiRequest(baseUrl, {
    model,
    messages: [system, ...messages],
    tools: tools.map((tool) => ({
      name: String(tool['name']),
      description: String(tool['description']),
      parameters: plainSchema(tool['parameters'] as JsonObject) as JsonObject,
    })),
    settings: { ...(includeThoughts !== undefined && { thinking_config: { include_thoughts: includeThoughts } }) },
    extraParams: Object.keys(native).length === 0 ? {} : { generationConfig: { thinkingConfig: native } },
    ...(responseJsonSchema !== undefined && { responseSchema: { name: 'answer', schema: responseJsonSchema as JsonObject } }),
    // The recorded client knew the subset of OpenAPI for tools only.
    quirks: tools.length > 0 ? { schemas: 'openapi' } : {},
    stream: recording.kind !== 'json',
  })
}

/** Types in small letters, as JSON Schema has them. */
function plainSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainSchema)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'type' && typeof member === 'string' ? member.toLowerCase() : plainSchema(member),
    ]),
  )
}

function modelPart(part: JsonObject, model: string, id: string): Content {
  const data = part['thoughtSignature'] === undefined ? undefined : { thoughtSignature: part['thoughtSignature'] }
  const opaque = data ? { opaque: { vendor: `google-generate-content:custom:${model}`, data } } : {}
  const call = part['functionCall'] as JsonObject | undefined
  if (!call) return { type: 'text', text: String(part['text']), ...opaque }
  return {
    type: 'tool_call',
    call_id: id,
    provider_call_id: `made-up-${id}`,
    name: String(call['name']),
    arguments: call['args'] as JsonObject,
    ...opaque,
  }
}

function resultPart(part: JsonObject, callId: string): Results[number] {
  const { name, response } = part['functionResponse'] as { readonly name: string; readonly response: { readonly content: Objects } }
  return {
    type: 'tool_result',
    call_id: callId,
    name,
    content: response.content.map(({ text }) => ({ type: 'text', text: String(text) })),
  }
}
