import type { JsonObject } from '@agent-service/sdk'
import { argumentsText, calledTool, doneLine, type FamilyWire, halfOfArguments, sseOf } from './family-wire.js'

const chunk = (delta: JsonObject, finish: string | null = null): Buffer =>
  sseOf({ id: 'answer-1', model: 'model-1', choices: [{ index: 0, delta, finish_reason: finish }] })
const end = (finish: string): Buffer => Buffer.concat([chunk({}, finish), doneLine])
const callWith = (text: string): Buffer =>
  chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: calledTool.name, arguments: text } }] })

const common = {
  contentType: 'text/event-stream',
  text: chunk({ role: 'assistant', content: 'Hello, ' }),
  end: Buffer.concat([chunk({ content: 'world' }), end('stop')]),
  halfCall: callWith(halfOfArguments),
  call: Buffer.concat([callWith(argumentsText), end('tool_calls')]),
  whole: JSON.stringify({
    id: 'answer-1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello, world' }, finish_reason: 'stop' }],
  }),
}

/** Chat completions. */
export const completionsWire: FamilyWire = {
  ...common,
  protocol: 'completions',
  adapter: 'adapter_alpha',
  overloaded: sseOf({ error: { message: 'Too many of you', code: 'engine_overloaded_error' } }),
  noMoney: sseOf({ error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } }),
  errorBody: (words) => JSON.stringify({ error: { message: words, type: 'made_up', param: null, code: null } }),
}

/** Chat completions as the hub for open models speaks them. */
export const huggingFaceWire: FamilyWire = {
  ...common,
  protocol: 'huggingface',
  adapter: 'adapter_eta',
  overloaded: sseOf({ error: 'Request failed during generation', error_type: 'generation' }),
  noMoney: sseOf({ error: 'You have exceeded your monthly included credits for Inference Providers.' }),
  errorBody: (words) => JSON.stringify({ error: words }),
}
