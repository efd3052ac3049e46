import { expect } from 'chai'
import { endOf } from './support/agents-kernel.js'
import {
  type AskingKernel,
  askedBy,
  askedOnce,
  callsWith,
  type ScriptedCall,
  type SeenApproval,
  startAskingKernel,
} from './support/asking-kernel.js'
import { resultsIn, says, setScript } from './support/scripted-plugin.js'

/** A model that makes these calls once, and what it read of them. */
function script(...calls: readonly ScriptedCall[]) {
  const ran: string[] = []
  const made = setScript({
    answer: (request) => (resultsIn(request).length === 0 ? callsWith(...calls) : says('Thanks.')),
    tool: async (name) => {
      ran.push(name)
      return { content: [{ type: 'text', text: 'done' }] }
    },
  })
  const results = () => resultsIn(made.requests.at(-1) ?? expect.fail('no request'))
  return {
    ran,
    results,
    read: () => results().map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')),
  }
}

const ask = (question: string, ...options: readonly string[]): ScriptedCall => ({
  name: 'ask_user',
  arguments: { question, ...(options.length > 0 ? { options } : {}) },
})
const agent = { tools: ['ask_user', 'update_profile', 'get_time', 'tool__read', 'tool__unsafe'], approval: {} }

describe('questions to a person', function () {
  this.timeout(60_000)
  let asking: AskingKernel

  before(async () => {
    setScript()
    asking = await startAskingKernel()
  })
  after(() => asking?.close())

  it('are answered from another client while the first is disconnected', async () => {
    const { read, results } = script(ask('Tea or coffee?', 'Tea', 'Coffee'))
    const phone = await asking.person('ada', agent)
    const stream = await phone.stream()
    const { runId, chatId } = await phone.begin()
    const asked = await askedOnce(stream, runId)
    expect(asked).to.deep.include({
      kind: 'question',
      tool: 'ask_user',
      purpose: 'Tea or coffee?',
      options: ['Tea', 'Coffee'],
      remembers: false,
    })
    stream.close()

    const desk = await asking.otherDevice('ada')
    const [waiting] = await desk.pending(chatId)
    expect(waiting).to.deep.equal(asked)
    const seen = await desk.stream()
    expect((await desk.answer(asked, 'answer', 'Water, please — 水 💧')).body).to.include({
      status: 'answered',
      note: 'Water, please — 水 💧',
    })
    expect((await endOf(seen, runId)).name).to.equal('run.completed')
    expect(read()).to.deep.equal(['Water, please — 水 💧'])
    expect(results()[0]?.is_error).to.not.equal(true)
    seen.close()
  })

  it('accept an answer or a denial, and nothing else', async () => {
    const { read } = script(ask('How many?'))
    const ada = await asking.person('ada', agent)
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    const paths = async (decision: string, note?: string) => {
      const { status, body } = await ada.answer(asked, decision, note)
      return [status, (body['errors'] as readonly { path: string }[]).map((problem) => problem.path)]
    }
    expect(await paths('approve')).to.deep.equal([422, ['/decision']])
    expect(await paths('answer')).to.deep.equal([422, ['/note']])
    expect(await paths('answer', '  ')).to.deep.equal([422, ['/note']])
    expect(await paths('answer', 'x'.repeat(20_001))).to.deep.equal([422, ['/note']])
    expect((await ada.answer(asked, 'answer', '3')).status).to.equal(200)
    const other = await ada.answer(asked, 'answer', '4')
    expect([other.status, other.body['code']]).to.deep.equal([409, 'approval_resolved'])
    expect((await ada.answer(asked, 'answer', '3')).status).to.equal(200)
    await endOf(stream, runId)
    expect(read()).to.deep.equal(['3'])

    const second = await ada.begin()
    const again = await askedOnce(stream, second.runId)
    expect((await ada.answer(again, 'deny')).status).to.equal(200)
    await endOf(stream, second.runId)
    expect(read()[0]).to.match(/^Not run/)
    stream.close()
  })

  it('are not asked with invalid arguments: the model reads the problem', async () => {
    const { read } = script({ name: 'ask_user', arguments: { query: 'What?' } }, { name: 'no_such_tool' })
    const ada = await asking.person('ada', agent)
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    expect((await endOf(stream, runId)).name).to.equal('run.completed')
    expect(stream.events.filter(({ name }) => name === 'approval.requested')).to.have.length(0)
    expect(read()[0]).to.match(/^The arguments are not valid\./)
    expect(read()[1]).to.match(/^The tool “no_such_tool” does not exist/)
    stream.close()
  })

  it('do not delay calls that may run in parallel', async () => {
    const { ran, read } = script(
      { name: 'tool__read' },
      { name: 'tool__read' },
      ask('Which?'),
      { name: 'tool__read' },
      { name: 'tool__read' },
    )
    const ada = await asking.person('ada', agent)
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    const asked = await askedOnce(stream, runId)
    expect(ran).to.have.length(4)
    await ada.answer(asked, 'answer', 'That one')
    await endOf(stream, runId)
    expect(ran).to.have.length(4)
    expect(read()).to.deep.equal(['done', 'done', 'That one', 'done', 'done'])
    stream.close()
  })

  it('are answered one by one if several are open; a restart in between loses none', async () => {
    const { read } = script(ask('First?'), ask('Second?'))
    const ada = await asking.person('ada', agent)
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    const asked = await askedBy(stream, runId, 2)
    const of = (purpose: string): SeenApproval => asked.find((approval) => approval['purpose'] === purpose) ?? expect.fail(purpose)
    await ada.answer(of('Second?'), 'answer', 'two')
    await stream.until(({ name, data }) => name === 'tool_call.finished' && data['call_id'] === of('Second?').call_id)
    stream.close()
    await asking.restart()
    const again = await asking.person('ada')
    expect((await again.pending()).map(({ call_id }) => call_id)).to.deep.equal([of('First?').call_id])
    const resumed = await again.stream()
    await again.answer(of('First?'), 'answer', 'one')
    expect((await endOf(resumed, runId)).name).to.equal('run.completed')
    expect(read()).to.deep.equal(['one', 'two'])
    resumed.close()
  })

  it('precede each change of the profile; nothing that is used to sign in can be changed', async () => {
    const ada = await asking.person('ada', { ...agent, approval: { '*': 'never' } })
    const stream = await ada.stream()
    const profile = async () => (await ada.request('GET', '/api/auth/me')).body
    const before = await profile()

    script({ name: 'update_profile', arguments: { timezone: 'Asia/Tokyo' } })
    await asking.person('ada', agent)
    const refused = await ada.begin()
    const first = await askedOnce(stream, refused.runId)
    expect(first).to.include({ kind: 'approval', purpose: 'Set your time zone to Asia/Tokyo', remembers: false })
    await ada.answer(first, 'deny')
    await endOf(stream, refused.runId)
    expect(await profile()).to.deep.equal(before)

    const { read } = script(
      { name: 'update_profile', arguments: { timezone: 'Asia/Tokyo', name: 'Ada L.' } },
      { name: 'update_profile', arguments: { timezone: 'Mars/Phobos' } },
      { name: 'update_profile', arguments: { email: 'eve@example.org' } },
    )
    const { runId } = await ada.begin()
    for (const asked of await askedBy(stream, runId, 2)) await ada.answer(asked, 'approve')
    await endOf(stream, runId)
    expect(read()[0]).to.equal('{"name":"Ada L.","timezone":"Asia/Tokyo"}')
    expect(read()[1]).to.equal('Not changed. timezone must be an IANA time zone: Europe/Berlin')
    expect(read()[2]).to.match(/^The arguments are not valid/)
    const after = await profile()
    expect(after).to.deep.equal({ ...before, name: 'Ada L.', timezone: 'Asia/Tokyo', updated_at: after['updated_at'] })
    stream.close()
  })
})
