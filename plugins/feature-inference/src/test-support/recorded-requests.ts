import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ContentPart, ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { openRecordings, type Recording } from '@agent-service/sdk/testing'

/** A request of a real client, with the tokens that the vendor reported. */
export interface RecordedRequest {
  readonly name: string
  readonly model: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  /** Cached ones included. */
  readonly inputTokens: number
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * Every recording with both, of all protocols, except those with a response schema. `FIXTURES_DIR`
 * is absolute or relative to the repository's root.
 */
export function recordedRequests(fixtures = '../shared/fixtures'): readonly RecordedRequest[] {
  const library = openRecordings(path.join(path.resolve(root, fixtures), 'providers'))
  return places.flatMap((place) => library.below(place)).flatMap(requestOf)
}

const places = [
  'openai-chat',
  'openai-responses',
  'openai-compat',
  'azure-openai',
  'copilot',
  'anthropic-messages',
  'bedrock-converse',
  'cohere-v2-chat',
  'gemini-generate-content',
  'ollama-chat',
]

function requestOf(recording: Recording): readonly RecordedRequest[] {
  const { name, request, truncated, url } = recording
  if (request === undefined || truncated) return []
  // Response schemas and documents to cite reach the model too, but are not counted.
  const more = ['response_format', 'output_format', 'format', 'documents'].map((key) => request[key])
  if ([...more, at(request['text'], 'format')].some((value) => typeof value === 'object' && value !== null)) return []
  const inputTokens = Math.max(0, ...recording.documents.map(inputTokensIn))
  if (inputTokens === 0) return []
  const system = partsOf(request['system'] ?? request['instructions'] ?? at(request['systemInstruction'], 'parts'))
  const turns = request['messages'] ?? request['contents'] ?? request['input'] ?? []
  const list: readonly JsonValue[] = Array.isArray(turns) ? turns : [{ role: 'user', content: turns }]
  const messages = [messageOf('system', system), ...list.map(turnOf)]
  const model = request['model'] ?? decodeURIComponent(/models?\/([^/:]+)/.exec(url ?? '')?.[1] ?? '')
  return [
    { name, model: String(model), messages: messages.filter(({ content }) => content.length > 0), tools: toolsOf(request), inputTokens },
  ]
}

/** The largest input count of a document, in any protocol. */
function inputTokensIn(document: JsonValue): number {
  const usage = at(document, 'usage') ?? at(at(document, 'message'), 'usage') ?? at(at(document, 'response'), 'usage')
  const ofCohere = at(usage, 'tokens') ?? at(at(at(document, 'delta'), 'usage'), 'tokens')
  const plain = [
    at(usage, 'prompt_tokens'),
    at(usage, 'inputTokens'),
    at(usage, 'input_tokens'),
    at(ofCohere, 'input_tokens'),
    at(at(document, 'usageMetadata'), 'promptTokenCount'),
    at(document, 'prompt_eval_count'),
    at(at(at(document, 'x_groq'), 'usage'), 'prompt_tokens'),
  ]
  const beside = ['cache_read_input_tokens', 'cache_creation_input_tokens', 'cacheReadInputTokens', 'cacheWriteInputTokens']
  return Math.max(...plain.map(Number).map((count) => count || 0)) + beside.reduce((sum, key) => sum + (Number(at(usage, key)) || 0), 0)
}

function toolsOf(request: JsonObject): readonly ModelTool[] {
  const listed = request['tools'] ?? request['functions'] ?? at(request['toolConfig'], 'tools')
  const entries = (Array.isArray(listed) ? listed : []).flatMap(
    (entry) => at(entry, 'functionDeclarations') ?? entry,
  ) as readonly JsonValue[]
  return entries
    .map((entry) => at(entry, 'function') ?? at(entry, 'toolSpec') ?? entry)
    .map((tool) => ({
      name: String(at(tool, 'name')),
      description: String(at(tool, 'description') ?? ''),
      parameters: (at(tool, 'parameters') ?? at(tool, 'input_schema') ?? at(at(tool, 'inputSchema'), 'json') ?? {}) as JsonObject,
    }))
}

/** A message, or an item of the protocol that has no messages. */
function turnOf(turn: JsonValue): ModelMessage {
  const role = at(turn, 'role')
  const calls = (at(turn, 'tool_calls') ?? []) as readonly JsonValue[]
  const content = at(turn, 'content') ?? at(turn, 'parts')
  if (role === undefined) return messageOf(at(turn, 'type') === 'function_call_output' ? 'tool' : 'assistant', [partOf(turn)])
  if (role === 'tool') return messageOf('tool', [result(partsOf(content))])
  const thought = at(turn, 'reasoning_details') ?? at(turn, 'reasoning_content')
  return messageOf(String(role), [...partsOf(thought), ...partsOf(content), ...calls.map(partOf)])
}

const messageOf = (role: string, content: readonly ContentPart[]): ModelMessage =>
  ({ role: role === 'model' ? 'assistant' : role === 'developer' ? 'system' : role, content }) as ModelMessage

const partsOf = (content: JsonValue | undefined): readonly ContentPart[] =>
  typeof content === 'string' ? [text(content)] : Array.isArray(content) ? content.map(partOf) : []

function partOf(block: JsonValue): ContentPart {
  const call = at(block, 'function') ?? at(block, 'toolUse') ?? at(block, 'functionCall')
  const given = at(block, 'toolResult') ?? at(block, 'functionResponse')
  const opaque = at(block, 'signature') ?? at(block, 'encrypted_content') ?? at(block, 'thoughtSignature')
  if (call !== undefined) return callPart(call, opaque)
  if (given !== undefined) return result([text(JSON.stringify(at(given, 'content') ?? at(given, 'response')))])
  switch (at(block, 'type')) {
    case 'tool_use':
    case 'function_call':
      return callPart(block, opaque)
    case 'tool_result':
    case 'function_call_output':
      return result([text(String(at(block, 'output') ?? JSON.stringify(at(block, 'content'))))])
    case 'thinking':
    case 'reasoning':
      return {
        type: 'reasoning',
        text: String(at(block, 'thinking') ?? ''),
        ...(opaque !== undefined && { opaque: { vendor: 'v', data: opaque } }),
      }
    case 'image_url':
      return { type: 'image', media_type: 'image/png', url: 'https://example.org/image.png' }
    default:
      if (at(block, 'text') === undefined) return text(JSON.stringify(block))
      return text(String(at(block, 'text')))
  }
}

function callPart(call: JsonValue, opaque: JsonValue | undefined): ContentPart {
  const given = at(call, 'arguments') ?? at(call, 'input') ?? at(call, 'args') ?? {}
  return {
    type: 'tool_call',
    call_id: 'c',
    name: String(at(call, 'name')),
    arguments: (typeof given === 'string' ? JSON.parse(given || '{}') : given) as JsonObject,
    ...(opaque !== undefined && { opaque: { vendor: 'v', data: opaque } }),
  }
}

const text = (content: string): ContentPart & { readonly type: 'text' } => ({ type: 'text', text: content })

const result = (content: readonly ContentPart[]): ContentPart => ({
  type: 'tool_result',
  call_id: 'c',
  name: 't',
  content: content.filter((part) => part.type === 'text'),
})

const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (value: JsonValue | undefined, name: string): JsonValue | undefined => (isObject(value) ? value[name] : undefined)
