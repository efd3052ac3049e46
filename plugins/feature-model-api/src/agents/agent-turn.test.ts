import type { Logger } from '@agent-service/sdk'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import type { ProviderFailure } from '@agent-service/sdk/contracts/provider-adapter'
import type { Agents, ConversationEvent, ConverseRequest } from '@agent-service/sdk/services/agents'
import { agentUnknownError } from '@agent-service/sdk/services/agents'
import type { Inference, InferenceEvent } from '@agent-service/sdk/services/inference'
import type { Run, Runs } from '@agent-service/sdk/services/runs'
import { expect } from 'chai'
import type { RequestIdentity } from '../retries/request-identity.js'
import type { TurnKeys } from '../retries/turn-keys.js'
import { createRunAgentTurn } from './agent-turn.js'

const silentLog: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
}
const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
const person: Principal = { userId: 'u', username: 'ada', handle: 'ada', role: 'user', scopes: ['read', 'write'] }
const inference = { groups: () => [{ name: 'primary', provider: 'p', model: 'm', context_window: 1 }] } as unknown as Inference
const finished: ConversationEvent = { type: 'finished', text: 'Yes', reasoning: 'Hm', usage, stopReason: 'stop', waiting: [] }

describe('an agent behind the OpenAI protocols', () => {
  const play = async (
    events: readonly ConversationEvent[],
    options: {
      readonly streamed?: boolean
      readonly agents?: 'none'
      readonly status?: Run['status']
      readonly leaves?: true
      readonly identity?: RequestIdentity
    } = {},
  ) => {
    const requests: ConverseRequest[] = []
    const agents: Agents = {
      list: async () => [{ id: 'a', handle: 'talker', name: '', description: '', createdAt: '' }],
      details: async () => undefined,
      async *converse(request) {
        requests.push(request)
        if (request.agent !== 'talker') throw agentUnknownError.create({ handle: request.agent })
        yield* events
      },
    }
    const cancelled: string[] = []
    const runs: Pick<Runs, 'get' | 'cancel'> = {
      get: async () => ({ status: options.status ?? 'running' }) as Run,
      async cancel({ userId, runId }) {
        cancelled.push(`${userId}/${runId}`)
        return {} as Run
      },
    }
    const keysOfCancelled: string[] = []
    const turnKeys: TurnKeys = { keyOf: async ({ id }) => `key-of-${id}`, cancelling: (key) => void keysOfCancelled.push(key) }
    const used = options.agents === 'none' ? undefined : agents
    const answer = createRunAgentTurn({ agents: used, runs, inference, turnKeys, log: silentLog })
    const turn = { model: 'agent/talker', messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }] }
    const seen: InferenceEvent[] = []
    let error: unknown
    try {
      const asked = { ...turn, streamed: options.streamed ?? true, identity: options.identity }
      for await (const event of answer({ principal: person }, asked, new AbortController().signal)) {
        seen.push(event)
        if (options.leaves) break
      }
    } catch (thrown) {
      error = thrown
    }
    await new Promise((resolve) => setImmediate(resolve))
    return { seen, error, requests, cancelled, keysOfCancelled }
  }

  it('numbers its parts in the order in which they begin', async () => {
    const { seen } = await play([
      { type: 'text.delta', text: 'Y' },
      { type: 'reasoning.delta', text: 'Hm' },
      { type: 'text.delta', text: 'es' },
      finished,
    ])
    expect(seen.map((event) => ('part' in event ? [event.type, event.part] : [event.type]))).to.deep.equal([
      ['text.delta', 0],
      ['reasoning.delta', 1],
      ['text.delta', 0],
      ['response.finished'],
    ])
    const last = seen.at(-1)
    expect(last?.type === 'response.finished' && last.content.map(({ type }) => type)).to.deep.equal(['text', 'reasoning'])
  })

  it('cannot withdraw streamed text, but text that was not streamed', async () => {
    const events: readonly ConversationEvent[] = [{ type: 'text.delta', text: 'No' }, { type: 'void', text: '', reasoning: '' }, finished]
    const streamed = await play(events)
    expect(streamed.error).to.include({ code: 'answer_taken_back' })
    expect(streamed.requests[0]?.restarts).to.equal('never')
    const whole = await play(events, { streamed: false })
    expect([whole.error, whole.seen.map(({ type }) => type), whole.requests[0]?.restarts]).to.deep.equal([
      undefined,
      ['response.finished'],
      undefined,
    ])
  })

  it('reports whether a retry makes sense', async () => {
    const codeOf = async (code: string) => (await play([{ type: 'failed', code, message: 'It broke.' }])).error
    expect(await codeOf('provider_error')).to.include({ code: 'agent_run_failed', status: 503 })
    expect(await codeOf('run_cancelled')).to.include({ code: 'agent_run_refused', status: 400 })
    expect(await codeOf('credential_missing')).to.include({ code: 'agent_run_refused', status: 400 })
    const upstream = async (providerFailure: ProviderFailure, retryAfterSeconds?: number) =>
      (
        await play([
          {
            ...{ type: 'failed', code: 'provider_error', message: 'It broke.', providerFailure },
            ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
          },
        ])
      ).error
    expect(await upstream('authentication')).to.include({ code: 'upstream_authentication_failed', status: 403 })
    expect(await upstream('bad_request')).to.include({ code: 'upstream_rejected', status: 400 })
    expect(await upstream('rate_limited', 7)).to.include({ code: 'upstream_rate_limited', status: 429, retryAfterSeconds: 7 })
    expect(await upstream('overloaded')).to.include({ code: 'agent_run_failed', status: 503 })
  })

  it('has the key of its request, and reports with it that its run is being cancelled', async () => {
    const identity = { id: 'x', digest: 'd', isRetry: false, isChosen: false }
    const begun: readonly ConversationEvent[] = [{ type: 'run', runId: 'r', chatId: 'c' }, { type: 'text.delta', text: 'Y' }, finished]
    const left = await play(begun, { identity, leaves: true })
    expect([left.requests[0]?.key, left.keysOfCancelled]).to.deep.equal(['key-of-x', ['key-of-x']])
    expect((await play(begun, { identity })).keysOfCancelled).to.deep.equal([])
    expect((await play(begun)).requests[0]).to.not.have.property('key')
  })

  it('reports that its model is called again', async () => {
    const { seen } = await play([{ type: 'retrying', failure: 'overloaded', reason: 'Busy.', delayMs: 5 }, finished], { streamed: false })
    expect(seen[0]).to.deep.equal({ type: 'attempt.retrying', attempt: 1, delay_ms: 5, failure: 'overloaded', reason: 'Busy.' })
  })

  it('is cancelled if the client disconnects before its end, unless it waits for a person', async () => {
    const begun: readonly ConversationEvent[] = [{ type: 'run', runId: 'r', chatId: 'c' }, { type: 'text.delta', text: 'Y' }, finished]
    expect((await play(begun, { leaves: true })).cancelled).to.deep.equal(['u/r'])
    expect((await play(begun, { leaves: true, status: 'waiting' })).cancelled).to.deep.equal([])
    expect((await play(begun)).cancelled).to.deep.equal([])
  })

  it('is not a model if the deployment has no agents', async () => {
    expect((await play([finished], { agents: 'none' })).error).to.include({ code: 'model_not_found', status: 404 })
  })
})
