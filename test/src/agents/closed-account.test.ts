import { expect } from 'chai'
import { createGate } from './support/client-view.js'
import { eventsOf, personWithId, type RunsKernel, startRunsKernel } from './support/runs-kernel.js'
import { calls, says, setScript } from './support/scripted-plugin.js'

describe('a run of an account that is disabled', function () {
  this.timeout(60_000)
  let agents: RunsKernel

  before(async () => {
    setScript()
    agents = await startRunsKernel()
  })
  after(() => agents?.close())

  it('ends after the call in progress: no tool runs, and no model is asked again', async () => {
    const admin = await personWithId(agents, 'ada')
    const ben = await personWithId(agents, 'ben')
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
    expect((await admin.request('PATCH', `/api/admin/users/${ben.id}`, { disabled: true })).status).to.equal(200)
    disabled.open()
    const events = await eventsOf(agents.runs, { userId: ben.id, runId })
    const end = events.find((event) => event.type === 'finished')
    expect(end?.run).to.include({ status: 'failed' })
    expect(end?.run.failure).to.deep.include({ code: 'account_closed' })
    expect([made.requests.length, ran]).to.deep.equal([1, []])
  })
})
