import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { messagesRequest } from './adapter.js'

type Content = Extract<ModelMessage, { role: 'assistant' }>['content'][number]
type Results = Extract<ModelMessage, { role: 'tool' }>['content']

/**
 * The request that a recorded body was made of: the conversation in the project's words. `answers`
 * replace assistant turns, oldest first.
 */
export function requestOf(baseUrl: string, body: JsonObject, answers: readonly (readonly Content[])[] = []): ModelRequest {
  const model = String(body['model'])
  const left = [...answers]
  const messages = (body['messages'] as readonly JsonObject[]).map((message): ModelMessage => {
    const blocks = blocksOf(message['content'])
    if (message['role'] === 'assistant')
      return { role: 'assistant', content: left.shift() ?? blocks.map((block) => assistantPart(block, model)) }
    const results = blocks.filter(({ type }) => type === 'tool_result')
    if (results.length > 0) return { role: 'tool', content: results.map(resultPart) }
    return { role: 'user', content: blocks.map(textPart) }
  })
  const system: ModelMessage = { role: 'system', content: blocksOf(body['system'] ?? []).map(textPart) }
  const tools = (body['tools'] ?? []) as readonly JsonObject[]
  const format = body['output_format'] as JsonObject | undefined
  const choice = (body['tool_choice'] as JsonObject | undefined)?.['type']
  return messagesRequest(baseUrl, {
    model,
    messages: [system, ...messages],
    tools: tools.map((tool) => ({
      name: String(tool['name']),
      description: String(tool['description']),
      parameters: tool['input_schema'] as JsonObject,
    })),
    settings: { max_tokens: Number(body['max_tokens']), ...(body['thinking'] !== undefined && { thinking: body['thinking'] }) },
    ...(choice === 'none' && { toolChoice: choice }),
    ...(format && { responseSchema: { name: 'answer', schema: format['schema'] as JsonObject } }),
    stream: body['stream'] === true,
  })
}

const blocksOf = (content: unknown): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content as readonly JsonObject[])

const textPart = (block: JsonObject) => ({ type: 'text', text: String(block['text']) }) as const

const assistantPart = (block: JsonObject, model: string): Content => {
  if (block['type'] === 'text') return textPart(block)
  if (block['type'] !== 'tool_use')
    return {
      type: 'reasoning',
      text: String(block['thinking'] ?? ''),
      opaque: { vendor: `anthropic-messages:custom:${model}`, data: { type: String(block['type']), signature: block['signature'] ?? '' } },
    }
  const id = String(block['id'])
  return {
    type: 'tool_call',
    call_id: `ours-${id}`,
    provider_call_id: id,
    name: String(block['name']),
    arguments: block['input'] as JsonObject,
  }
}

const resultPart = (block: JsonObject): Results[number] => {
  const id = String(block['tool_use_id'])
  return {
    type: 'tool_result',
    call_id: `ours-${id}`,
    provider_call_id: id,
    name: 'any',
    content: blocksOf(block['content']).map(textPart),
  }
}
