import { setTimeout as pause } from 'node:timers/promises'
import { Type } from '@agent-service/sdk'
import { type ModelEvent, type ModelRequest, type ProviderAdapter, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { chooseAnswer } from './choose-answer.js'
import { builtInModels, type Configuration } from './configuration.js'
import type { ScriptedAnswer } from './conversation/conversation.js'
import { playDemo } from './demo/play-demo.js'

/** An adapter without a model: it plays the scripts of its configuration, word by word. */
export function createScriptedAdapter(configuration: Configuration): ProviderAdapter {
  return {
    specVersion: 1,
    id: 'adapter_scripted',
    name: 'scripted',
    protocols: [{ id: 'scripted', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] }],
    supports: {
      streaming: true,
      tools: true,
      toolChoice: false,
      images: true,
      files: true,
      reasoning: false,
      opaqueParts: false,
      structuredOutput: false,
      listModels: true,
    },
    call: (request, { signal }) => play(request, configuration, signal),
    async listModels(_request, { signal }) {
      signal.throwIfAborted()
      return [...new Set([...Object.keys(builtInModels), ...Object.keys(configuration.models)])].map((id) => ({ id }))
    },
  }
}

async function* play(
  request: ModelRequest,
  configuration: Configuration,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  signal.throwIfAborted()
  const model = ownOf(configuration.models, request.model) ?? ownOf(builtInModels, request.model)
  if (request.protocol !== 'scripted')
    throw refusal(request, 'bad_request', `The protocol “${request.protocol}” is not supported here. Use scripted.`)
  if (!model) throw refusal(request, 'model_not_found', `The model “${request.model}” has no script.`)
  const answer = model.plays_demo ? playDemo(request) : chooseAnswer(request, model)

  yield { type: 'response.started', model: request.model }
  for (const [index, word] of wordsOf(answer.text).entries()) {
    if (index > 0) await waitFor(model.word_delay_ms, signal)
    yield { type: 'text.delta', part: 0, text: word }
  }
  if (answer.call) {
    yield { type: 'tool_call.started', part: 1, provider_call_id: answer.call.id, name: answer.call.name }
    for (const piece of JSON.stringify(answer.call.arguments).match(/[\s\S]{1,60}/gu) ?? []) {
      await waitFor(model.word_delay_ms, signal)
      yield { type: 'tool_call.delta', part: 1, arguments_text: piece }
    }
  }
  yield finished(request, answer)
}

const ownOf = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Words with the space before them, so that they join to the text. */
const wordsOf = (text: string): readonly string[] => text.match(/\s*\S+/g) ?? []

/** An abort throws the signal's own reason, as the contract has it. */
async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => undefined)
  signal.throwIfAborted()
}

function finished(request: ModelRequest, answer: ScriptedAnswer): ModelEvent {
  const { call } = answer
  const written = request.messages.flatMap((message) => message.content.map((part) => (part.type === 'text' ? part.text : '')))
  return {
    type: 'response.finished',
    content: [
      { type: 'text', text: answer.text },
      ...(call
        ? [{ type: 'tool_call', call_id: call.id, provider_call_id: call.id, name: call.name, arguments: call.arguments } as const]
        : []),
    ],
    stop_reason: call ? 'tool_calls' : 'stop',
    usage: {
      input_tokens: wordsOf(written.join(' ')).length,
      cached_input_tokens: 0,
      output_tokens: wordsOf(answer.text).length,
      reasoning_tokens: 0,
      estimated: true,
    },
  }
}

const refusal = (request: ModelRequest, failure: 'bad_request' | 'model_not_found', reason: string) =>
  providerError.create({ failure, retryable: false, connection: request.connection.handle, model: request.model, reason })
