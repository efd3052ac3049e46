import type { InferenceRequest, TokenCountOptions } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { readCatalogue } from '../catalogue/read-catalogue.js'
import type { ModelGroupSettings } from '../configuration/models-section.js'
import { createConnections } from '../connections/connections.js'
import { groupOf, repositoryResources } from '../test-support/fakes.js'
import { lostCallRecords } from './lost-calls.js'

const request: InferenceRequest = {
  group: 'primary',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  attribution: { userId: 'ada', runId: 'run' },
  lostCalls: [
    { id: 'run/1', requestedAt: 1_000 },
    { id: 'run/4', requestedAt: 5_000 },
  ],
}

const recordsOf = async (asked: InferenceRequest, provider = 'openai') => {
  const catalogue = await readCatalogue(repositoryResources)
  const settings = groupOf({ provider, model: 'gpt-4o-mini' }) as unknown as ModelGroupSettings
  const counted: (TokenCountOptions | undefined)[] = []
  const records = await lostCallRecords(
    asked,
    { group: { name: 'primary', settings, implicit: false }, target: { index: 0, settings, implicit: false } },
    {
      catalogue,
      connections: createConnections({}, catalogue, (name) => (name === 'OPENAI_API_KEY' ? 'key' : undefined)),
      async countTokens(_, options) {
        counted.push(options)
        return { tokens: 12, exact: false, window: 100, reserve: 10 }
      },
      now: 9_000,
      signal: new AbortController().signal,
    },
  )
  return { records, counted }
}

describe('the records of lost calls', () => {
  it('assume the present request to the group’s own model, each from its start to the next', async () => {
    const { records, counted } = await recordsOf(request)
    expect(records.map(({ id, startedAt, replacedAt }) => [id, startedAt, replacedAt])).to.deep.equal([
      ['run/1', 1_000, 5_000],
      ['run/4', 5_000, 9_000],
    ])
    expect(records[0]).to.deep.include({
      ...{ outcome: 'lost', group: 'primary', connection: 'openai', brand: 'openai', model: 'gpt-4o-mini', protocol: 'responses' },
      usage: { input_tokens: 12, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0, estimated: true },
    })
    // Any estimate is good enough.
    expect(counted.map((options) => options?.atMost)).to.deep.equal([Number.POSITIVE_INFINITY])
  })

  it('name the configured handle if there is no such connection', async () => {
    const { records } = await recordsOf(request, 'gone')
    expect(records[0]).to.include({ connection: 'gone', brand: 'gone', protocol: '' })
  })

  it('are empty for a request without lost calls or without a user, and nothing is counted', async () => {
    const { attribution: _, ...nobodys } = request
    for (const asked of [{ ...request, lostCalls: [] }, nobodys]) {
      const { records, counted } = await recordsOf(asked)
      expect([records, counted]).to.deep.equal([[], []])
    }
  })
})
