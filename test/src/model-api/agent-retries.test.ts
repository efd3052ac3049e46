import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import OpenAI from 'openai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { errorOf } from './support/openai-kernel.js'

describe('an answer of an agent whose model fails after its first words', () => {
  let agents: AgentsKernel
  let client: OpenAI

  before(async () => {
    setScript()
    agents = await startAgentsKernel({ maxRetries: 1 })
    const ada = await agents.person('ada')
    const token = await ada.request('POST', '/api/auth/tokens', { name: 'openai', scopes: ['read', 'write'] })
    client = new OpenAI({ baseURL: `${agents.kernel.url}/v1`, apiKey: String(token.body['token']), maxRetries: 0 })
  })
  after(() => agents?.close())

  const failingOnce = () => {
    let failed = false
    return setScript({
      async *answer() {
        if (failed) return yield* says('Whole.')
        failed = true
        yield { type: 'text.delta', part: 0, text: 'Half an ' }
        throw providerError.create({ failure: 'truncated', retryable: true, connection: 'upstream', model: 'm', reason: 'It was cut.' })
      },
    })
  }
  const messages = [{ role: 'user' as const, content: 'Hi' }]

  it('is that of the next attempt if nothing was sent yet', async () => {
    const script = failingOnce()
    const completion = await client.chat.completions.create({ model: 'agent/assistant', messages })
    expect(completion.choices[0]?.message.content).to.equal('Whole.')
    expect(script.requests).to.have.length(2)
  })

  it('ends as an interrupted stream if it was sent: received text is never withdrawn', async () => {
    const script = failingOnce()
    const seen: string[] = []
    const stream = await client.chat.completions.create({ model: 'agent/assistant', messages, stream: true })
    const error = await errorOf(
      (async () => {
        for await (const chunk of stream) seen.push(chunk.choices[0]?.delta.content ?? '')
      })(),
    )
    expect([seen.join(''), error.code, script.requests.length]).to.deep.equal(['Half an ', 'agent_run_failed', 1])
  })
})
