import { type ModelEvent, type ModelRequest, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'

type Body = Readonly<Record<string, unknown>>
const target = (model: string) => ({ provider: 'upstream', model, api: 'completions' })
const fallback = {
  ...{ reason: 'model_failed', wanted: 'upstream/large', used: 'upstream/small' },
  ...{ failure: 'quota_exceeded', detail: 'The credit of this key is used up.' },
}

/** The large model has no credit, from its second call in a run on if it `begins`; the small one answers. */
async function* noCredit(request: ModelRequest, begins: boolean): AsyncGenerator<ModelEvent> {
  const { model, connection } = request
  if (model !== 'large') yield* says('The small one says so.')
  else if (begins && resultsIn(request).length === 0) yield* calls('get_time')
  else
    throw providerError.create({
      ...{ failure: 'quota_exceeded', retryable: false, connection: connection.handle, model, reason: fallback.detail },
    })
}

describe('an answer of a fallback', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let ada: Person

  before(async () => {
    setScript()
    agents = await startAgentsKernel({
      environment: { SERVICE_MODELS: JSON.stringify({ primary: { ...target('large'), fallbacks: [target('small')] } }) },
    })
    ada = await agents.person('ada')
  })
  after(() => agents?.close())

  /** The messages of the agent to a question, after the end of its run. */
  const ask = async (): Promise<{ readonly chatId: string; readonly told: readonly unknown[] }> => {
    const chatId = await ada.newChat()
    const stream = await ada.stream()
    const runId = await ada.post(chatId, 'Who are you?')
    await endOf(stream, runId)
    const told = stream.events.filter(({ name, data }) => name === 'message.updated' && data['run_id'] === runId)
    stream.close()
    return { chatId, told: told.map(({ data }) => (data['message'] as Body)['fallback']) }
  }
  const answersIn = async (chatId: string) => (await ada.messages(chatId)).filter(({ role }) => role === 'assistant')
  const fallbacksIn = async (chatId: string) => (await answersIn(chatId)).map((message) => (message as unknown as Body)['fallback'])

  it('says which model answered in place of which, and why, also after a restart', async () => {
    setScript({ answer: (request) => noCredit(request, false) })
    const { chatId, told } = await ask()
    expect(told).to.deep.equal([fallback])
    expect(textOf((await answersIn(chatId))[0])).to.equal('The small one says so.')
    await agents.restart()
    ada = await agents.person('ada')
    expect(await fallbacksIn(chatId)).to.deep.equal([fallback])
  })

  it('says it of the one turn of a run that fell back, and nothing of others', async () => {
    setScript({ answer: (request) => noCredit(request, true) })
    expect(await fallbacksIn((await ask()).chatId)).to.deep.equal([undefined, fallback])
    setScript()
    const { chatId, told } = await ask()
    expect(await fallbacksIn(chatId)).to.deep.equal([undefined])
    expect(told).to.deep.equal([undefined])
  })

  it('says it of what was said by the time that it was stopped', async () => {
    setScript({
      async *answer(request, signal) {
        if (request.model === 'large') yield* noCredit(request, false)
        yield { type: 'text.delta', part: 0, text: 'So far' }
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
      },
    })
    const stream = await ada.stream()
    const chatId = await ada.newChat()
    const runId = await ada.post(chatId, 'Talk.')
    await stream.until(({ name, data }) => name === 'text.delta' && data['run_id'] === runId)
    await ada.request('POST', `/api/runs/${runId}/cancel`)
    await endOf(stream, runId)
    stream.close()
    expect((await answersIn(chatId)).map(({ status }) => status)).to.deep.equal(['partial'])
    expect(await fallbacksIn(chatId)).to.deep.equal([fallback])
  })

  it('says it in both protocols of the model API, in one piece and streamed, of groups and agents', async () => {
    const post = async (path: string, body: object): Promise<string> => {
      const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' }
      const response = await fetch(`${agents.kernel.url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return response.text()
    }
    const eventsOf = (text: string): readonly Body[] =>
      text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Body] : []))
    const asked = async (model: string): Promise<readonly unknown[]> => {
      const messages = [{ role: 'user', content: `Hi, ${model}.` }]
      const whole = JSON.parse(await post('chat/completions', { model, messages })) as Body
      const chunks = eventsOf(await post('chat/completions', { model, messages, stream: true }))
      const response = JSON.parse(await post('responses', { model, input: 'Hi.' })) as Body
      const events = eventsOf(await post('responses', { model, input: 'Hi.', stream: true }))
      return [whole, chunks.at(-1), response, events.at(-1)?.['response'] as Body].map((each) => each?.['fallback'])
    }
    setScript({ answer: (request) => noCredit(request, false) })
    expect(await asked('primary')).to.deep.equal([fallback, fallback, fallback, fallback])
    expect(await asked('agent/assistant')).to.deep.equal([fallback, fallback, fallback, fallback])
    setScript()
    expect(await asked('primary')).to.deep.equal([undefined, undefined, undefined, undefined])
    expect(await asked('agent/assistant')).to.deep.equal([undefined, undefined, undefined, undefined])
  })
})
