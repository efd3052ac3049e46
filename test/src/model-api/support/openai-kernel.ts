import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import OpenAI, { APIError } from 'openai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../../agents/support/agents-kernel.js'
import { type Script, setScript } from '../../agents/support/scripted-plugin.js'

const usage = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 5, reasoning_tokens: 2 }
export const weather = {
  name: 'weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
}

/** Reasoning, text, and a call. */
export async function* everything(): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'reasoning.delta', part: 0, text: 'Let me ' }
  yield { type: 'reasoning.delta', part: 0, text: 'look.' }
  yield { type: 'text.delta', part: 1, text: 'I ' }
  yield { type: 'text.delta', part: 1, text: 'look.' }
  yield { type: 'tool_call.started', part: 2, provider_call_id: 'call-1', name: 'weather' }
  yield { type: 'tool_call.delta', part: 2, arguments_text: '{"place":' }
  yield { type: 'tool_call.delta', part: 2, arguments_text: '"Oslo"}' }
  yield {
    type: 'response.finished',
    content: [
      { type: 'reasoning', text: 'Let me look.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', call_id: 'call-1', provider_call_id: 'call-1', name: 'weather', arguments: { place: 'Oslo' } },
    ],
    stop_reason: 'tool_calls',
    usage,
  }
}

export async function* cut(): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'text.delta', part: 0, text: 'Half an ' }
  throw failure('truncated')
}

export const failure = (kind: 'truncated' | 'rate_limited' | 'bad_request' | 'authentication', retryAfterMs?: number) =>
  providerError.create({
    failure: kind,
    retryable: false,
    connection: 'upstream',
    model: 'm',
    reason: `It was ${kind}.`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })

/** A kernel with a scripted model, and a person with official clients for it. */
export interface OpenAiKernel {
  readonly agents: AgentsKernel
  readonly ada: Person
  /** A client whose token has only the scope `inference`. */
  readonly client: OpenAI
  clientWith(apiKey: string): OpenAI
  tokenWith(scopes: readonly string[]): Promise<string>
  /** Sets the model's answers from now on. */
  answer(events: Script['answer']): void
  /** The newest request to the model. */
  asked(): ModelRequest
  close(): Promise<void>
}

export async function startOpenAiKernel(): Promise<OpenAiKernel> {
  let script = setScript()
  const agents = await startAgentsKernel()
  const ada = await agents.person('ada')
  const tokenWith = async (scopes: readonly string[]): Promise<string> =>
    String((await ada.request('POST', '/api/auth/tokens', { name: scopes.join(' '), scopes })).body['token'])
  const clientWith = (apiKey: string): OpenAI => new OpenAI({ baseURL: `${agents.kernel.url}/v1`, apiKey, maxRetries: 0 })
  return {
    agents,
    ada,
    client: clientWith(await tokenWith(['inference'])),
    clientWith,
    tokenWith,
    answer(events) {
      script = setScript({ answer: events })
    },
    asked: () => script.requests.at(-1) ?? expect.fail('No model was called.'),
    close: () => agents.close(),
  }
}

/** The protocol error of a failed call. */
export async function errorOf(promise: Promise<unknown>): Promise<APIError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof APIError)) throw error ?? new Error('The call succeeded.')
  return error
}
