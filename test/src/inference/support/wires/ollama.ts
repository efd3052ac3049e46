import type { JsonObject } from '@agent-service/sdk'
import { calledTool, type FamilyWire } from './family-wire.js'

const line = (data: JsonObject): Buffer => Buffer.from(`${JSON.stringify(data)}\n`)
const common = { model: 'model-1', created_at: '2026-01-01T00:00:00Z' }
const piece = (message: JsonObject): Buffer => line({ ...common, message: { role: 'assistant', ...message }, done: false })
const closing = { done: true, done_reason: 'stop', prompt_eval_count: 11, eval_count: 7 }
const end = line({ ...common, message: { role: 'assistant', content: '' }, ...closing })
const call = piece({ content: '', tool_calls: [{ function: { name: calledTool.name, arguments: calledTool.arguments } }] })

/** Ollama. Its calls come in one piece: half of one is half a document. */
export const ollamaWire: FamilyWire = {
  protocol: 'ollama',
  adapter: 'adapter_zeta',
  contentType: 'application/x-ndjson',
  text: piece({ content: 'Hello, ' }),
  end: Buffer.concat([piece({ content: 'world' }), end]),
  halfCall: call.subarray(0, -25),
  call: Buffer.concat([call, end]),
  overloaded: line({ error: 'an error was encountered while running the model: unexpected EOF' }),
  noMoney: line({ error: 'insufficient balance' }),
  errorBody: (words) => JSON.stringify({ error: words }),
  whole: JSON.stringify({ ...common, message: { role: 'assistant', content: 'Hello, world' }, ...closing }),
}
