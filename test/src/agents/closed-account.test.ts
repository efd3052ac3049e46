import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { Person } from './support/agents-kernel.js'
import { createGate } from './support/client-view.js'
import { eventsOf, type RunsKernel, startRunsKernel } from './support/runs-kernel.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

describe('a run of an account that is disabled', function () {
  this.timeout(60_000)
  let agents: RunsKernel
  let admin: Person

  before(async () => {
    setScript()
    agents = await startRunsKernel()
    admin = await agents.person('ada')
  })
  after(() => agents?.close())

  it('ends after the call in progress: no tool runs, and no model is asked again', async () => {
    const ben = await agents.person('ben')
    const begun = createGate()
    const disabled = createGate()
    const ran: string[] = []
    const made = setScript({
      async *answer() {
        if (made.requests.length > 1) {
          yield* says('I go on.')
          return
        }
        begun.open()
        await disabled.opened
        yield* calls('tool__unsafe')
      },
      tool: async (name) => {
        ran.push(name)
        return { content: [{ type: 'text', text: 'done' }] }
      },
    })
    const runId = await ben.post(await ben.newChat(), 'Do it')
    await begun.opened
    expect((await admin.request('PATCH', `/api/admin/users/${ben.userId}`, { disabled: true })).status).to.equal(200)
    disabled.open()
    const events = await eventsOf(agents.runs, { userId: ben.userId, runId })
    const end = events.find((event) => event.type === 'finished')
    expect(end?.run).to.include({ status: 'failed' })
    expect(end?.run.failure).to.deep.include({ code: 'account_closed' })
    expect([made.requests.length, ran]).to.deep.equal([1, []])
  })

  it('leaves a chat in which the person goes on once their account is enabled again', async () => {
    const cleo = await agents.person('cleo')
    const [begun, disabled] = [createGate(), createGate()]
    const made = setScript({
      async *answer() {
        if (made.requests.length > 1) {
          yield* says('I go on.')
          return
        }
        begun.open()
        await disabled.opened
        yield* calls('tool__unsafe', 'tool__read')
      },
    })
    const chat = await cleo.newChat()
    const runId = await cleo.post(chat, 'Do it')
    await begun.opened
    await admin.request('PATCH', `/api/admin/users/${cleo.userId}`, { disabled: true })
    disabled.open()
    await eventsOf(agents.runs, { userId: cleo.userId, runId })
    await admin.request('PATCH', `/api/admin/users/${cleo.userId}`, { disabled: false })
    const back = await agents.person('cleo')
    const next = await back.post(chat, 'Go on')
    const end = (await eventsOf(agents.runs, { userId: cleo.userId, runId: next })).at(-1)
    expect(end?.type === 'finished' && end.run).to.include({ status: 'completed' })
    const results = resultsIn(made.requests.at(-1) as ModelRequest)
    expect(results.map(({ name, is_error }) => [name, is_error])).to.deep.equal([
      ['tool__unsafe', true],
      ['tool__read', true],
    ])
  })

  it('ends with those that it has delegated, of which none asks a model again', async () => {
    const dan = await agents.person('dan')
    await dan.request('PATCH', `/api/agents/${dan.agentId}`, { tools: ['delegate', 'tool__unsafe'], approval: { '*': 'never' } })
    await dan.request('POST', '/api/agents', { handle: 'helper', name: 'helper', tools: ['tool__unsafe'], approval: { '*': 'never' } })
    const [begun, disabled] = [createGate(), createGate()]
    const ran: string[] = []
    const made = setScript({
      async *answer() {
        if (made.requests.length === 1) {
          const content = [{ type: 'tool_call' as const, call_id: 'v', name: 'delegate', arguments: { agent: 'helper', task: 'Count' } }]
          const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
          yield { type: 'response.finished' as const, content, stop_reason: 'tool_calls' as const, usage }
          return
        }
        begun.open()
        await disabled.opened
        yield* calls('tool__unsafe')
      },
      tool: async (name) => {
        ran.push(name)
        return { content: [{ type: 'text', text: 'done' }] }
      },
    })
    const runId = await dan.post(await dan.newChat(), 'Do it')
    await begun.opened
    await admin.request('PATCH', `/api/admin/users/${dan.userId}`, { disabled: true })
    disabled.open()
    const end = (await eventsOf(agents.runs, { userId: dan.userId, runId })).at(-1)
    expect(end?.type === 'finished' && end.run.failure).to.deep.include({ code: 'account_closed' })
    expect([made.requests.length, ran]).to.deep.equal([2, []])
  })

  it('waits, if it waits for the person, and goes on with their answer once the account is enabled again', async () => {
    const eve = await agents.person('eve')
    await eve.request('PATCH', `/api/agents/${eve.agentId}`, { approval: { '*': 'always' } })
    const made = setScript({ answer: () => (made.requests.length === 1 ? calls('tool__unsafe') : says('Done.')) })
    const runId = await eve.post(await eve.newChat(), 'Do it')
    const seen = await eventsOf(agents.runs, { userId: eve.userId, runId }, (event) => event.type === 'waiting')
    const [asked] = seen.flatMap((event) => (event.type === 'waiting' ? event.questions : []))
    await admin.request('PATCH', `/api/admin/users/${eve.userId}`, { disabled: true })
    await admin.request('PATCH', `/api/admin/users/${eve.userId}`, { disabled: false })
    await agents.runs.answer({ userId: eve.userId, runId, callId: asked?.callId ?? '', decision: 'approve_once' })
    const end = (await eventsOf(agents.runs, { userId: eve.userId, runId })).at(-1)
    expect(end?.type === 'finished' && [end.run.status, end.text, made.requests.length]).to.deep.equal(['completed', 'Done.', 2])
  })
})
