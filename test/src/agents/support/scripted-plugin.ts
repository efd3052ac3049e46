import { definePlugin, Type } from '@agent-service/sdk'
import { type ModelEvent, type ModelRequest, providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { type EffectClass, type Tool, type ToolResult, tools } from '@agent-service/sdk/contracts/tool'
import { asksForTitle } from '../../support/title-requests.js'

/**
 * What the scripted model and its tools do; a test sets it, all kernels of the process share it.
 */
export interface Script {
  answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
  tool(name: string, ...given: Parameters<Tool['execute']>): Promise<ToolResult>
  probe(callId: string): Promise<'done' | 'not_done' | 'unknown'>
  readonly requests: ModelRequest[]
  /** Whether requests for titles of chats are answered and kept too. Otherwise no title comes of them. */
  readonly titles: boolean
}

const initial = (): Script => ({
  answer: () => says('Hello.'),
  tool: async () => ({ content: [{ type: 'text', text: 'done' }] }),
  probe: async () => 'unknown',
  requests: [],
  titles: false,
})

let script = initial()

/** Starts over with a model that says hello. */
export function setScript(changes: Partial<Script> = {}): Script {
  script = { ...initial(), ...changes }
  return script
}

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

/** A whole answer of text, in pieces. */
export async function* says(...pieces: readonly string[]): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  for (const text of pieces) yield { type: 'text.delta', part: 0, text }
  yield { type: 'response.finished', content: [{ type: 'text', text: pieces.join('') }], stop_reason: 'stop', usage }
}

/** An answer that asks for tools. */
export async function* calls(...names: readonly string[]): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  for (const [part, name] of names.entries()) {
    yield { type: 'tool_call.started', part, provider_call_id: `vendor-${part}`, name }
    yield { type: 'tool_call.delta', part, arguments_text: '{}' }
  }
  const content = names.map((name, part) => ({ type: 'tool_call' as const, call_id: `vendor-${part}`, name, arguments: {} }))
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

/** How often the model has been given tool results in the newest turn. */
export const resultsIn = (request: ModelRequest) => request.messages.flatMap((message) => (message.role === 'tool' ? message.content : []))

const effects: readonly EffectClass[] = ['read', 'idempotent', 'checkable', 'unsafe']

const scriptedTool = (effect: EffectClass): Tool => ({
  specVersion: 1,
  name: `tool__${effect}`,
  title: `A tool that is ${effect}`,
  description: 'For a test.',
  parameters: Type.Object({}),
  effect,
  supports: { probe: effect === 'checkable' },
  execute: (...given) => script.tool(`tool__${effect}`, ...given),
  ...(effect === 'checkable' ? { probe: (callId: string) => script.probe(callId) } : {}),
})

/** Names kinds of its calls: by the folder that it writes to. */
const writingTool: Tool = {
  ...scriptedTool('unsafe'),
  name: 'tool__write',
  parameters: Type.Object({ folder: Type.String(), text: Type.Optional(Type.String()) }),
  scopes: ({ folder }) => [{ key: `folder ${String(folder)}`, label: `Write into ${String(folder)}` }],
  execute: (...given) => script.tool('tool__write', ...given),
}

const settings = Type.Object({ top_p: Type.Optional(Type.Number()), seed: Type.Optional(Type.Integer()) })

export default definePlugin({
  manifest: {
    id: 'tool',
    apiVersion: 1,
    description: 'A model and tools that do what a test says.',
    contributes: ['provider.adapter', 'tool'],
  },
  setup(context) {
    context.contribute(providerAdapters, {
      specVersion: 1,
      id: 'adapter_alpha',
      name: 'openai',
      protocols: [{ id: 'completions', aliases: [], settings, protectedPaths: ['model'], protectedStructuredPaths: [] }],
      supports: {
        streaming: true,
        tools: true,
        toolChoice: true,
        images: true,
        files: true,
        reasoning: true,
        opaqueParts: true,
        structuredOutput: true,
      },
      async *call(request, { signal }) {
        if (!script.titles && asksForTitle(request.messages)) return yield* says('')
        script.requests.push(request)
        yield* script.answer(request, signal)
      },
    })
    for (const effect of effects) context.contribute(tools, scriptedTool(effect))
    context.contribute(tools, writingTool)
    context.contribute(tools, { ...scriptedTool('read'), name: 'tool__memory', offered: ({ memory }) => memory.enabled })
  },
})
