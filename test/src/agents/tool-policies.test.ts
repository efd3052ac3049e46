import { expect } from 'chai'
import { endOf } from './support/agents-kernel.js'
import { type AskedPerson, type AskingKernel, askedOnce, startAskingKernel } from './support/asking-kernel.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

const agent = (approval: Readonly<Record<string, string>>) => ({
  tools: ['tool__read', 'tool__unsafe', 'tool__idempotent', 'ask_user'],
  approval,
})

describe('policies for tools', function () {
  this.timeout(60_000)
  let asking: AskingKernel
  let admin: AskedPerson

  before(async () => {
    setScript()
    asking = await startAskingKernel()
    admin = await asking.person('ada', agent({ '*': 'never' }))
  })
  after(() => asking?.close())

  /** A policy for as long as the work takes. */
  const withPolicy = async (text: string, work: () => Promise<void>): Promise<void> => {
    const added = await admin.request('POST', '/api/admin/policies', { text })
    expect(added.status, JSON.stringify(added.body)).to.equal(201)
    try {
      await work()
    } finally {
      expect((await admin.request('DELETE', `/api/admin/policies/${String(added.body['id'])}`)).status).to.equal(204)
    }
  }

  const run = async (person: AskedPerson, ...names: readonly string[]) => {
    const ran: string[] = []
    const script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls(...names) : says('Done.')),
      tool: async (name) => {
        ran.push(name)
        return { content: [{ type: 'text', text: 'done' }] }
      },
    })
    const stream = await person.stream()
    const { runId } = await person.begin()
    return {
      ...{ ran, runId, stream },
      offered: () => (script.requests[0]?.tools ?? []).map(({ name }) => name).sort(),
      read: () =>
        resultsIn(script.requests.at(-1) ?? expect.fail('no request')).map(({ content }) =>
          content.map((part) => (part.type === 'text' ? part.text : '')).join(),
        ),
    }
  }

  it('permit an agent its tools by default, and no others', async () => {
    const { ran, runId, stream, offered, read } = await run(admin, 'tool__unsafe', 'get_time')
    await endOf(stream, runId)
    expect(offered()).to.deep.equal(['ask_user', 'tool__idempotent', 'tool__read', 'tool__unsafe'])
    expect(ran).to.deep.equal(['tool__unsafe'])
    expect(read()[1]).to.match(/^The tool “get_time” does not exist/)
    stream.close()
  })

  it('forbid: the tool is not offered, and a call of it is refused although a person would be asked', async () => {
    const text = 'forbid (principal is Agent, action == Action::"use_tool", resource == Tool::"tool__unsafe");'
    await withPolicy(text, async () => {
      await asking.person('ada', agent({ '*': 'always' }))
      const { ran, runId, stream, offered, read } = await run(admin, 'tool__unsafe')
      await endOf(stream, runId)
      expect(offered()).to.deep.equal(['ask_user', 'tool__idempotent', 'tool__read'])
      expect(ran).to.deep.equal([])
      expect(read()[0]).to.equal(
        'Not run: the policies of this service do not allow you to use “tool__unsafe”. Do not call it again; tell the person.',
      )
      expect(stream.events.filter(({ name }) => name === 'approval.requested')).to.have.length(0)
      stream.close()
    })
  })

  it('forbid a tool even after the person has granted it', async () => {
    await asking.person('ada', agent({ '*': 'first_time' }))
    const first = await run(admin, 'tool__unsafe')
    await admin.answer(await askedOnce(first.stream, first.runId), 'approve')
    await endOf(first.stream, first.runId)
    first.stream.close()
    const text =
      'forbid (principal is Agent, action == Action::"use_tool", resource in Plugin::"tool") when { resource has effect && resource.effect == "unsafe" };'
    await withPolicy(text, async () => {
      const { ran, runId, stream } = await run(admin, 'tool__unsafe')
      await endOf(stream, runId)
      expect(ran).to.deep.equal([])
      stream.close()
    })
    const last = await run(admin, 'tool__unsafe')
    await endOf(last.stream, last.runId)
    expect(last.ran).to.deep.equal(['tool__unsafe'])
    last.stream.close()
  })

  it('can require asking a person each time, whatever the agent’s mode', async () => {
    const text =
      'forbid (principal is Agent, action == Action::"use_tool", resource == Tool::"tool__idempotent") unless { context has needs_approval && context.needs_approval };'
    await withPolicy(text, async () => {
      await asking.person('ada', agent({ '*': 'never' }))
      const { ran, runId, stream, offered } = await run(admin, 'tool__idempotent', 'tool__read')
      const asked = await askedOnce(stream, runId)
      expect(asked).to.include({ tool: 'tool__idempotent', remembers: false })
      expect(offered()).to.include('tool__idempotent')
      await admin.answer(asked, 'approve')
      await endOf(stream, runId)
      expect([...ran].sort()).to.deep.equal(['tool__idempotent', 'tool__read'])
      stream.close()
    })
  })

  it('distinguish the agents of different persons', async () => {
    const eve = await asking.person('eve', agent({ '*': 'never' }))
    await asking.person('ada', agent({ '*': 'never' }))
    const text = `forbid (principal in User::"${eve.userId}", action == Action::"use_tool", resource == Tool::"tool__unsafe");`
    await withPolicy(text, async () => {
      const hers = await run(eve, 'tool__unsafe')
      await endOf(hers.stream, hers.runId)
      expect(hers.ran).to.deep.equal([])
      hers.stream.close()
      const other = await run(admin, 'tool__unsafe')
      await endOf(other.stream, other.runId)
      expect(other.ran).to.deep.equal(['tool__unsafe'])
      other.stream.close()
    })
  })

  it('forbid a call about which a person is being asked, whatever they answer', async () => {
    await asking.person('ada', agent({ '*': 'always' }))
    const { ran, runId, stream } = await run(admin, 'tool__unsafe')
    const asked = await askedOnce(stream, runId)
    const text = 'forbid (principal is Agent, action == Action::"use_tool", resource == Tool::"tool__unsafe");'
    await withPolicy(text, async () => {
      expect((await admin.answer(asked, 'approve')).status).to.equal(200)
      await endOf(stream, runId)
      expect(ran).to.deep.equal([])
    })
    stream.close()
  })
})
