import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { Person } from './support/agents-kernel.js'
import { callsWith } from './support/asking-kernel.js'
import { createGate } from './support/client-view.js'
import { eventsOf, finishedRun, type RunsKernel, startRunsKernel } from './support/runs-kernel.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

interface HeldModel {
  /** Once the model is at the answer in which it is held. */
  readonly begun: Promise<void>
  /** Lets it go on. */
  release(): void
  readonly requests: readonly ModelRequest[]
  /** The tools that ran. */
  readonly ran: readonly string[]
}

/**
 * A model that is held in an answer before it asks for tools. What it answers before is `first`;
 * asked again afterwards, it says that it goes on.
 */
function holdModel(tools: readonly string[], first: readonly AsyncIterable<ModelEvent>[] = []): HeldModel {
  const [begun, released] = [createGate(), createGate()]
  const ran: string[] = []
  const { requests } = setScript({
    async *answer() {
      const before = first[requests.length - 1]
      if (before) yield* before
      else if (requests.length > first.length + 1) yield* says('I go on.')
      else {
        begun.open()
        await released.opened
        yield* calls(...tools)
      }
    },
    tool: async (name) => {
      ran.push(name)
      return { content: [{ type: 'text', text: 'done' }] }
    },
  })
  return { begun: begun.opened, release: released.open, requests, ran }
}

async function setDisabled(admin: Person, { userId }: Person, disabled: boolean): Promise<void> {
  const { status } = await admin.request('PATCH', `/api/admin/users/${userId}`, { disabled })
  expect(status).to.equal(200)
}

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

  /** Lets a person begin a run and disables their account while the model is held. Resolves once the run has ended. */
  const endedRun = async (person: Person, chat: string, model: HeldModel) => {
    const runId = await person.post(chat, 'Do it')
    await model.begun
    await setDisabled(admin, person, true)
    model.release()
    return (await finishedRun(agents.runs, person.userId, runId)).run
  }

  it('ends after the call in progress: no tool runs, and no model is asked again', async () => {
    const ben = await agents.person('ben')
    const model = holdModel(['tool__unsafe'])
    const run = await endedRun(ben, await ben.newChat(), model)
    expect(run).to.include({ status: 'failed' })
    expect(run.failure).to.deep.include({ code: 'account_closed' })
    expect([model.requests.length, model.ran]).to.deep.equal([1, []])
  })

  it('leaves a chat in which the person goes on once their account is enabled again', async () => {
    const cleo = await agents.person('cleo')
    const model = holdModel(['tool__unsafe', 'tool__read'])
    const chat = await cleo.newChat()
    await endedRun(cleo, chat, model)
    await setDisabled(admin, cleo, false)
    const back = await agents.person('cleo')
    const next = await back.post(chat, 'Go on')
    expect((await finishedRun(agents.runs, cleo.userId, next)).run).to.include({ status: 'completed' })
    const results = resultsIn(model.requests.at(-1) ?? expect.fail('The model was not asked.'))
    expect(results.map(({ name, is_error }) => [name, is_error])).to.deep.equal([
      ['tool__unsafe', true],
      ['tool__read', true],
    ])
  })

  it('ends with those that it has delegated, of which none asks a model again', async () => {
    const dan = await agents.person('dan')
    await dan.request('PATCH', `/api/agents/${dan.agentId}`, { tools: ['delegate', 'tool__unsafe'], approval: { '*': 'never' } })
    await dan.request('POST', '/api/agents', { handle: 'helper', name: 'helper', tools: ['tool__unsafe'], approval: { '*': 'never' } })
    const model = holdModel(['tool__unsafe'], [callsWith({ name: 'delegate', arguments: { agent: 'helper', task: 'Count' } })])
    const run = await endedRun(dan, await dan.newChat(), model)
    expect(run.failure).to.deep.include({ code: 'account_closed' })
    expect([model.requests.length, model.ran]).to.deep.equal([2, []])
  })

  it('waits, if it waits for the person, and goes on with their answer once the account is enabled again', async () => {
    const eve = await agents.person('eve')
    await eve.request('PATCH', `/api/agents/${eve.agentId}`, { approval: { '*': 'always' } })
    const made = setScript({ answer: () => (made.requests.length === 1 ? calls('tool__unsafe') : says('Done.')) })
    const runId = await eve.post(await eve.newChat(), 'Do it')
    const seen = await eventsOf(agents.runs, { userId: eve.userId, runId }, (event) => event.type === 'waiting')
    const [asked] = seen.flatMap((event) => (event.type === 'waiting' ? event.questions : []))
    await setDisabled(admin, eve, true)
    await setDisabled(admin, eve, false)
    await agents.runs.answer({ userId: eve.userId, runId, callId: asked?.callId ?? '', decision: 'approve_once' })
    const { run, text } = await finishedRun(agents.runs, eve.userId, runId)
    expect([run.status, text, made.requests.length]).to.deep.equal(['completed', 'Done.', 2])
  })
})
