import { ephemeralTokensToken } from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { endOf } from './support/agents-kernel.js'
import { type AskingKernel, askedOnce, askingAgent, scriptCalls, startAskingKernel } from './support/asking-kernel.js'
import { setScript } from './support/scripted-plugin.js'

describe('approvals', function () {
  this.timeout(60_000)
  let asking: AskingKernel

  before(async () => {
    setScript()
    asking = await startAskingKernel()
  })
  after(() => asking?.close())

  it('let a call run, once, with the note after its result', async () => {
    const { ran, read } = scriptCalls('tool__unsafe')
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const stream = await ada.stream()
    const { runId, chatId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    expect(asked).to.deep.include({
      ...{ kind: 'approval', tool: 'tool__unsafe', arguments: {}, arguments_cut: false, purpose: 'A tool that is unsafe' },
      ...{ status: 'pending', remembers: false, chat_id: chatId, run_id: runId, note: null, resolved_at: null },
    })
    expect(await ada.run(runId)).to.deep.include({ status: 'waiting', asking: [asked.call_id] })
    expect(await ada.pending(chatId)).to.deep.equal([asked])
    expect((await ada.request('GET', `/api/approvals/${asked.call_id}`)).body).to.deep.equal(asked)
    expect(ran).to.deep.equal([])

    const answered = await ada.answer(asked, 'approve', 'But only today.')
    expect(answered.status).to.equal(200)
    expect(answered.body).to.include({ call_id: asked.call_id, status: 'approved', note: 'But only today.' })
    expect((await endOf(stream, runId)).name).to.equal('run.completed')
    expect(ran).to.deep.equal(['tool__unsafe'])
    expect(read()).to.deep.equal(['tool__unsafe did it\nThe person approved this call and wrote: But only today.'])
    const resolved = stream.events.filter(({ name }) => name === 'approval.resolved')
    expect(resolved.map(({ data }) => data['approval'])).to.deep.equal([answered.body])
    expect(await ada.pending(chatId)).to.deep.equal([])
    expect((await ada.request('GET', `/api/approvals?chat_id=${chatId}`)).body['items']).to.deep.equal([answered.body])
    stream.close()
  })

  it('prevent a call from running; the model reads why', async () => {
    const { ran, read } = scriptCalls('tool__unsafe')
    const ada = await asking.person('ada', askingAgent())
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    expect((await ada.answer(asked, 'deny', 'Not on a Sunday.')).body).to.include({ status: 'denied' })
    expect((await endOf(stream, runId)).name).to.equal('run.completed')
    expect(ran).to.deep.equal([])
    expect(read()[0]).to.match(/^Not run: the person did not allow this call\. They wrote: Not on a Sunday\./)
    expect(await grantsOf(ada)).to.deep.equal([])
    stream.close()
  })

  const grantsOf = async (person: Awaited<ReturnType<AskingKernel['person']>>) =>
    ((await person.request('GET', `/api/agents/${person.agentId}/grants`)).body['items'] as readonly { tool: string }[]).map(
      ({ tool }) => tool,
    )

  it('of one call give no grant, whatever the mode', async () => {
    const iris = await asking.person('iris', askingAgent({ '*': 'first_time' }))
    const stream = await iris.stream()
    scriptCalls('tool__unsafe')
    const one = await iris.begin()
    const asked = await askedOnce(stream, one.runId)
    expect(asked['remembers']).to.equal(true)
    const answered = await iris.answer(asked, 'approve_once')
    expect(answered.body).to.include({ status: 'approved', remembers: false })
    expect((await iris.answer(asked, 'approve')).body, 'the first decision counts').to.include({ code: 'approval_resolved' })
    await endOf(stream, one.runId)
    expect(await grantsOf(iris)).to.deep.equal([])
    const two = await iris.begin()
    const again = await askedOnce(stream, two.runId)
    expect(again['remembers']).to.equal(true)
    await iris.answer(again, 'deny')
    await endOf(stream, two.runId)
    stream.close()
  })

  it('with the mode first_time are remembered until they are revoked', async () => {
    const grace = await asking.person('grace', askingAgent({ '*': 'first_time' }))
    const stream = await grace.stream()
    const first = scriptCalls('tool__unsafe')
    const one = await grace.begin()
    const asked = await askedOnce(stream, one.runId)
    expect(asked['remembers']).to.equal(true)
    await grace.answer(asked, 'approve')
    await endOf(stream, one.runId)
    expect(await grantsOf(grace)).to.deep.equal(['tool__unsafe'])
    const two = await grace.begin()
    await endOf(stream, two.runId)
    expect(first.ran).to.deep.equal(['tool__unsafe', 'tool__unsafe'])

    expect((await grace.request('DELETE', `/api/agents/${grace.agentId}/grants/tool__unsafe`)).status).to.equal(204)
    expect((await grace.request('DELETE', `/api/agents/${grace.agentId}/grants/tool__unsafe`)).status).to.equal(404)
    const three = await grace.begin()
    const again = await askedOnce(stream, three.runId)
    await grace.answer(again, 'deny')
    await endOf(stream, three.runId)
    expect(first.ran).to.have.length(2)
    stream.close()
  })

  it('follow the mode of the tool before that of all tools, and that before the tool’s own', async () => {
    const { ran } = scriptCalls('tool__read', 'tool__idempotent')
    const lin = await asking.person('lin', askingAgent({ '*': 'always', tool__read: 'never' }))
    const stream = await lin.stream()
    const one = await lin.begin()
    const asked = await askedOnce(stream, one.runId)
    expect(asked).to.include({ tool: 'tool__idempotent' })
    expect(ran).to.deep.equal(['tool__read'])
    await lin.answer(asked, 'approve')
    await endOf(stream, one.runId)
    // `always` remembers nothing.
    const two = await lin.begin()
    await lin.answer(await askedOnce(stream, two.runId), 'approve')
    await endOf(stream, two.runId)
    expect(await grantsOf(lin)).to.deep.equal([])

    await asking.person('lin', askingAgent({ '*': 'never' }))
    scriptCalls('tool__unsafe')
    const three = await lin.begin()
    expect((await endOf(stream, three.runId)).name).to.equal('run.completed')
    expect(stream.events.filter(({ name, data }) => name === 'approval.requested' && data['run_id'] === three.runId)).to.have.length(0)
    stream.close()
  })

  it('are decided by the first answer', async () => {
    const { ran } = scriptCalls('tool__unsafe')
    const here = await asking.person('ada', askingAgent({ '*': 'always' }))
    const there = await asking.otherDevice('ada')
    const stream = await here.stream()
    const { runId } = await here.begin()
    const asked = await askedOnce(stream, runId)
    const answers = await Promise.all([here.answer(asked, 'approve'), there.answer(asked, 'deny')])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409])
    const [won, lost] = answers[0].status === 200 ? answers : [answers[1], answers[0]]
    expect(lost.body).to.include({ code: 'approval_resolved' })
    expect(lost.body['detail']).to.include(`${String(won.body['status'])} by “ada” at ${String(won.body['resolved_at'])}`)
    await endOf(stream, runId)
    expect(ran).to.have.length(won.body['status'] === 'approved' ? 1 : 0)

    const decision = won.body['status'] === 'approved' ? 'approve' : 'deny'
    const second = await there.answer(asked, decision)
    expect([second.status, second.body]).to.deep.equal([200, won.body])
    expect(stream.events.filter(({ name, data }) => name === 'approval.resolved' && data['run_id'] === runId)).to.have.length(1)
    stream.close()
  })

  it('refuse invalid answers, and everyone but the owner', async () => {
    scriptCalls('tool__unsafe')
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const eve = await asking.person('eve')
    const stream = await ada.stream()
    const { runId, chatId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    const wrong = await ada.answer(asked, 'answer', 'yes')
    expect([wrong.status, wrong.body['errors']]).to.deep.equal([
      422,
      [{ path: '/decision', message: 'must be approve, approve_once or deny: this call waits for an approval, not for an answer' }],
    ])
    expect((await ada.answer(asked, 'maybe')).status).to.equal(422)
    expect((await ada.answer({ ...asked, run_id: 'another' }, 'approve')).status).to.equal(404)
    for (const [method, target] of [
      ['GET', `/api/approvals/${asked.call_id}`],
      ['GET', `/api/approvals?chat_id=${chatId}`],
      ['GET', `/api/agents/${ada.agentId}/grants`],
      ['DELETE', `/api/agents/${ada.agentId}/grants/tool__unsafe`],
    ] as const)
      expect((await eve.request(method, target)).status, `${method} ${target}`).to.equal(404)
    expect((await eve.answer(asked, 'approve')).status).to.equal(404)
    expect(await eve.pending()).to.deep.equal([])
    expect(await ada.run(runId)).to.include({ status: 'waiting' })
    await ada.request('POST', `/api/runs/${runId}/cancel`)
    stream.close()
  })

  it('are withdrawn when the run is cancelled, and cannot be given afterwards', async () => {
    const { ran } = scriptCalls('tool__unsafe')
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const stream = await ada.stream()
    const { runId, chatId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    expect((await ada.request('POST', `/api/runs/${runId}/cancel`)).body).to.include({ status: 'cancelled' })
    expect((await ada.request('GET', `/api/approvals/${asked.call_id}`)).body).to.include({ status: 'withdrawn' })
    const late = await ada.answer(asked, 'approve')
    expect([late.status, late.body['code']]).to.deep.equal([409, 'approval_withdrawn'])
    expect(ran).to.deep.equal([])
    const messages = (await ada.request('GET', `/api/chats/${chatId}/messages`)).body['items'] as readonly { role: string }[]
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool'])
    stream.close()
  })

  it('are deleted with their chat, whether they were decided or not', async () => {
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const stream = await ada.stream()
    for (const isDecided of [true, false]) {
      scriptCalls('tool__unsafe')
      const { chatId, runId } = await ada.begin()
      const asked = await askedOnce(stream, runId)
      if (isDecided) {
        await ada.answer(asked, 'deny')
        await endOf(stream, runId)
      }
      expect((await ada.request('DELETE', `/api/chats/${chatId}`)).status).to.equal(204)
      expect((await ada.request('GET', `/api/approvals/${asked.call_id}`)).status).to.equal(404)
    }
    stream.close()
  })

  it('given during a cancel never stay for a call that did not run', async () => {
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const stream = await ada.stream()
    for (let round = 0; round < 12; round += 1) {
      const { callIds } = scriptCalls('tool__unsafe')
      const { runId } = await ada.begin()
      const asked = await askedOnce(stream, runId)
      const pair = [() => ada.answer(asked, 'approve'), () => ada.request('POST', `/api/runs/${runId}/cancel`)]
      await Promise.all((round % 2 === 0 ? pair : pair.reverse()).map((send) => send()))
      await endOf(stream, runId)
      const { status } = (await ada.request('GET', `/api/approvals/${asked.call_id}`)).body
      expect(status, `ran: ${callIds.length}`).to.equal(callIds.includes(asked.call_id) ? 'approved' : 'withdrawn')
    }
    stream.close()
  })

  it('are withdrawn by a message, which the model reads after the results', async () => {
    const { ran, read, roles } = scriptCalls('tool__unsafe')
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const stream = await ada.stream()
    const { runId, chatId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    expect((await ada.request('POST', `/api/chats/${chatId}/messages`, { content: 'Rather not' })).status).to.equal(202)
    expect((await endOf(stream, runId)).name).to.equal('run.completed')
    expect(ran).to.deep.equal([])
    expect(read()[0]).to.match(/^Not run: the person wrote a message instead/)
    expect(roles().slice(-2)).to.deep.equal(['tool', 'user'])
    const late = await ada.answer(asked, 'approve')
    expect([late.status, late.body['code']]).to.deep.equal([409, 'approval_withdrawn'])
    stream.close()
  })

  it('hold back later calls if calls run one after the other', async () => {
    const { ran, read } = scriptCalls('tool__idempotent', 'tool__unsafe', 'tool__idempotent')
    const ada = await asking.person('ada', askingAgent({ tool__unsafe: 'always' }))
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    expect(ran).to.deep.equal(['tool__idempotent'])
    await ada.answer(asked, 'deny')
    await endOf(stream, runId)
    expect(ran).to.deep.equal(['tool__idempotent', 'tool__idempotent'])
    expect(read().map((text) => text.startsWith('Not run'))).to.deep.equal([false, true, false])
    stream.close()
  })

  it('are not asked of a program that acts for the person', async () => {
    const { ran } = scriptCalls('tool__unsafe')
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    const { token } = await asking.kernel.container
      .resolve(ephemeralTokensToken)
      .issue({ userId: ada.userId, actor: { kind: 'agent', id: ada.agentId, purpose: 'sandbox' } })
    const send = (method: string, target: string, body?: object) =>
      fetch(`${asking.kernel.url}${target}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    const refused = await send('POST', `/api/runs/${runId}/approvals/${asked.call_id}`, { decision: 'approve' })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([403, 'people_only'])
    expect((await send('DELETE', `/api/agents/${ada.agentId}/grants/tool__unsafe`)).status).to.equal(403)
    expect((await ada.request('GET', `/api/approvals/${asked.call_id}`)).body).to.include({ status: 'pending' })
    expect(ran).to.deep.equal([])
    await ada.request('POST', `/api/runs/${runId}/cancel`)
    stream.close()
  })

  it('survive a stop: the answer goes on with the run', async () => {
    const { ran, callIds } = scriptCalls('tool__unsafe')
    const ada = await asking.person('ada', askingAgent({ '*': 'always' }))
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    stream.close()
    await asking.restart()
    const again = await asking.person('ada')
    expect(await again.run(runId)).to.deep.include({ status: 'waiting', asking: [asked.call_id] })
    expect((await again.pending()).map(({ call_id }) => call_id)).to.deep.equal([asked.call_id])
    const resumed = await again.stream()
    expect((await again.answer(asked, 'approve')).status).to.equal(200)
    expect((await endOf(resumed, runId)).name).to.equal('run.completed')
    expect([ran, callIds]).to.deep.equal([['tool__unsafe'], [asked.call_id]])
    resumed.close()
  })
})
