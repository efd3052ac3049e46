import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, endOf, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { type ListedMessage, shownIn, textsOf, type Writer, writerOf } from './chat-support.js'

const broken = () =>
  providerError.create({ failure: 'truncated', retryable: false, connection: 'upstream', model: 'm', reason: 'The stream was cut.' })

describe('the branches of a chat', () => {
  let agents: AgentsKernel
  let ada: Writer

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await writerOf(agents, 'ada')
  })
  after(async () => {
    ada?.stream.close()
    await agents?.close()
  })

  /** A chat with the questions `q1`, `q2`, … and their answers. */
  const chatWith = async (turns: number): Promise<string> => {
    const chat = await ada.person.newChat()
    for (let turn = 1; turn <= turns; turn += 1) {
      setScript({ answer: () => says(`a${turn}`) })
      await ada.write(chat, `q${turn}`)
    }
    return chat
  }
  const idAt = async (chat: string, sequence: number): Promise<string> =>
    (await ada.list(chat))[sequence]?.id ?? expect.fail(`no message ${sequence}`)
  const numbersOf = (message: ListedMessage | undefined) => message?.alternatives?.map(({ number }) => number)

  it('are only one before the chat is forked, without alternatives', async () => {
    const chat = await chatWith(1)
    expect(await ada.branches(chat)).to.deep.equal([
      {
        ...{ id: chat, chat_id: chat, number: 1, fork: null, message_count: 2, current: true, first_line: 'q1' },
        created_at: (await ada.person.request('GET', `/api/chats/${chat}`)).body['created_at'],
      },
    ])
    expect((await ada.list(chat)).every((message) => !('alternatives' in message))).to.equal(true)
  })

  it('keep the old messages when the first message, one in the middle, and one inside a branch is replaced', async () => {
    const chat = await chatWith(3)
    const before = await ada.list(chat)

    let script = setScript({ answer: () => says('b2') })
    await ada.write(chat, 'q2 anew', await idAt(chat, 2))
    expect(shownIn(script.requests[0])).to.deep.equal(['q1', 'a1', 'q2 anew'])
    expect(textsOf(await ada.list(chat))).to.deep.equal(['q1', 'a1', 'q2 anew', 'b2'])
    expect(textsOf(await ada.list(chat, chat))).to.deep.equal(textsOf(before))

    await ada.write(chat, 'q3 in b', undefined)
    script = setScript({ answer: () => says('c3') })
    await ada.write(chat, 'q3 in c', await idAt(chat, 4))
    expect(shownIn(script.requests[0])).to.deep.equal(['q1', 'a1', 'q2 anew', 'b2', 'q3 in c'])

    script = setScript({ answer: () => says('d1') })
    await ada.write(chat, 'q1 anew', await idAt(chat, 0))
    expect(shownIn(script.requests[0])).to.deep.equal(['q1 anew'])

    const branches = await ada.branches(chat)
    expect(branches.map(({ number, first_line, message_count, current }) => [number, first_line, message_count, current])).to.deep.equal([
      [1, 'q1', 6, false],
      [2, 'q2 anew', 6, false],
      [3, 'q3 in c', 6, false],
      [4, 'q1 anew', 2, true],
    ])
    const [one, two, three, four] = branches.map(({ id }) => id)
    expect(branches.map(({ fork }) => fork)).to.deep.equal([
      null,
      { branch_id: one, sequence: 2 },
      { branch_id: two, sequence: 4 },
      { branch_id: one, sequence: 0 },
    ])
    // The same choice is offered on every way that comes by.
    expect((await ada.list(chat, four)).map(numbersOf)).to.deep.equal([[1, 4], undefined])
    expect((await ada.list(chat, one)).map(numbersOf)).to.deep.equal([[1, 4], undefined, [1, 2], ...Array<undefined>(3)])
    expect((await ada.list(chat, three)).map(numbersOf)).to.deep.equal([[1, 4], undefined, [1, 2], undefined, [2, 3], undefined])
  })

  it('can be switched and continued, with events to every tab', async () => {
    const chat = await chatWith(2)
    setScript({ answer: () => says('b2') })
    await ada.write(chat, 'q2 anew', await idAt(chat, 2))
    const from = ada.stream.events.length
    const { status, body } = await ada.change(chat, { branch_id: chat })
    expect([status, body['branch_id'], body['message_count'], body['branch_count']]).to.deep.equal([200, chat, 4, 2])
    // What the answer before it changed may be told after the end of its run.
    const told = await ada.stream.next(
      from,
      ({ name, data }) => name === 'chat.updated' && (data['chat'] as { readonly branch_id: string }).branch_id === chat,
    )
    expect(told.data['chat']).to.include({ id: chat, message_count: 4 })
    const script = setScript({ answer: () => says('a3') })
    await ada.write(chat, 'q3')
    expect(shownIn(script.requests[0])).to.deep.equal(['q1', 'a1', 'q2', 'a2', 'q3'])
    const [, other] = await ada.branches(chat)
    expect(textsOf(await ada.list(chat, other?.id))).to.deep.equal(['q1', 'a1', 'q2 anew', 'b2'])
    await ada.change(chat, { branch_id: other?.id })
    expect(textsOf(await ada.list(chat))).to.deep.equal(['q1', 'a1', 'q2 anew', 'b2'])
    await ada.change(chat, { branch_id: chat })
    expect(textsOf(await ada.list(chat))).to.deep.equal(['q1', 'a1', 'q2', 'a2', 'q3', 'a3'])
  })

  it('cannot be switched, forked or regenerated during a run', async () => {
    const chat = await chatWith(1)
    await ada.write(chat, 'q1 anew', await idAt(chat, 0))
    const gate = createGate()
    setScript({
      async *answer() {
        await gate.opened
        yield* says('late')
      },
    })
    const run = await ada.person.post(chat, 'q2')
    const refused = [
      await ada.change(chat, { branch_id: chat }),
      await ada.person.request('POST', `/api/chats/${chat}/messages`, { content: 'x', replaces: await idAt(chat, 0) }),
      await ada.person.request('POST', `/api/chats/${chat}/regenerate`, {}),
    ]
    expect(refused.map(({ status, body }) => [status, body['code']])).to.deep.equal(Array(3).fill([409, 'run_in_progress']))
    gate.open()
    expect((await endOf(ada.stream, run)).name).to.equal('run.completed')
    expect((await ada.change(chat, { branch_id: chat })).status).to.equal(200)
  })

  it('are shown to no other user', async () => {
    const chat = await chatWith(1)
    const other = await chatWith(1)
    await ada.write(other, 'q1 anew', await idAt(other, 0))
    const foreign = (await ada.branches(other))[1]?.id ?? ''
    const eve = await agents.person('eve')
    const answers = [
      await eve.request('GET', `/api/chats/${other}/branches`),
      await eve.request('PATCH', `/api/chats/${other}`, { branch_id: other }),
      await ada.change(chat, { branch_id: foreign }),
      await ada.person.request('GET', `/api/chats/${chat}/messages?branch_id=${foreign}`),
    ]
    expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404])
  })

  it('regenerate the newest answer, an older one, and failed, partial and cancelled ones', async () => {
    const chat = await chatWith(2)
    let script = setScript({ answer: () => says('a2 anew') })
    expect(await ada.regenerate(chat)).to.equal('run.completed')
    expect(shownIn(script.requests[0])).to.deep.equal(['q1', 'a1', 'q2'])
    script = setScript({ answer: () => says('a1 anew') })
    await ada.regenerate(chat, await idAt(chat, 1))
    expect(shownIn(script.requests[0])).to.deep.equal(['q1'])
    expect(textsOf(await ada.list(chat))).to.deep.equal(['q1', 'a1 anew'])

    setScript({
      async *answer() {
        yield { type: 'text.delta', part: 0, text: 'Half' }
        throw broken()
      },
    })
    expect(await ada.regenerate(chat)).to.equal('run.failed')
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        throw broken()
      },
    })
    expect(await ada.regenerate(chat)).to.equal('run.failed')
    const hanging = createGate()
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        hanging.open()
        await new Promise(() => undefined)
      },
    })
    const { body } = await ada.person.request('POST', `/api/chats/${chat}/regenerate`, {})
    const { id: run } = body['run'] as { readonly id: string }
    await hanging.opened
    await ada.person.request('POST', `/api/runs/${run}/cancel`)
    expect((await endOf(ada.stream, run)).name).to.equal('run.cancelled')
    script = setScript({ answer: () => says('At last') })
    expect(await ada.regenerate(chat)).to.equal('run.completed')
    expect(shownIn(script.requests[0])).to.deep.equal(['q1'])

    const branches = await ada.branches(chat)
    const ways = await Promise.all(branches.map(async ({ id }) => textsOf(await ada.list(chat, id))))
    expect(ways).to.deep.include.members([
      ['q1', 'a1', 'q2', 'a2'],
      ['q1', 'a1', 'q2', 'a2 anew'],
      ['q1', 'a1 anew'],
      ['q1', 'Half'],
      ['q1', 'At last'],
    ])
    const last = (await ada.list(chat)).at(-1)
    expect(numbersOf(last)).to.deep.equal(branches.filter(({ fork }) => fork === null || fork.sequence === 1).map(({ number }) => number))
  })

  it('separate turns with tools: calls of one branch are unknown in another', async () => {
    const chat = await chatWith(1)
    setScript({ answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('read it')) })
    await ada.write(chat, 'q2')
    expect((await ada.list(chat)).map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user', 'assistant', 'tool', 'assistant'])
    const script = setScript({ answer: () => says('without tools') })
    await ada.regenerate(chat, await idAt(chat, 4))
    expect([resultsIn(script.requests[0] ?? expect.fail('no request')), shownIn(script.requests[0])]).to.deep.equal([
      [],
      ['q1', 'a1', 'q2'],
    ])
    await ada.change(chat, { branch_id: chat })
    const again = setScript({ answer: () => says('a3') })
    await ada.write(chat, 'q3')
    expect(resultsIn(again.requests[0] ?? expect.fail('no request'))).to.have.length(1)
    expect(shownIn(again.requests[0])).to.deep.equal(['q1', 'a1', 'q2', 'read it', 'q3'])
  })

  it('fork at messages written during a run', async () => {
    const chat = await ada.person.newChat()
    const called = createGate()
    const gate = createGate()
    setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('read it')),
      async tool() {
        called.open()
        await gate.opened
        return { content: [{ type: 'text', text: 'done' }] }
      },
    })
    const run = await ada.person.post(chat, 'q1')
    await called.opened
    await ada.person.post(chat, 'hurry')
    gate.open()
    expect((await endOf(ada.stream, run)).name).to.equal('run.completed')
    const before = await ada.list(chat)
    const steering = before.find((message) => textOf(message) === 'hurry')

    // Answered anew from there on: the call was not answered yet when it was written.
    let script = setScript({ answer: () => says('anew') })
    expect(await ada.regenerate(chat, steering?.id)).to.equal('run.completed')
    expect(shownIn(script.requests[0])).to.deep.equal(['q1', 'hurry'])
    expect(resultsIn(script.requests[0] ?? expect.fail('no request')).map(({ outcome }) => outcome)).to.deep.equal(['unknown'])
    await ada.change(chat, { branch_id: chat })
    script = setScript({ answer: () => says('slowly') })
    expect(await ada.write(chat, 'take your time', steering?.id)).to.equal('run.completed')
    expect(shownIn(script.requests[0])).to.deep.equal(['q1', 'take your time'])
    expect(resultsIn(script.requests[0] ?? expect.fail('no request'))).to.have.length(1)
    expect(textsOf(await ada.list(chat, chat))).to.deep.equal(textsOf(before))
  })

  it('refuse messages that cannot be replaced, and say what to do', async () => {
    const chat = await chatWith(1)
    const old = await ada.list(chat)
    await ada.write(chat, 'q1 anew', old[0]?.id)
    const post = (replaces: string | undefined) => ada.person.request('POST', `/api/chats/${chat}/messages`, { content: 'x', replaces })
    const ofOther = await chatWith(1)
    const answers = [
      await post(old[0]?.id),
      await post((await ada.list(chat))[1]?.id),
      await post(await idAt(ofOther, 0)),
      await post('nothing'),
    ]
    expect(answers.map(({ body }) => body['code'])).to.deep.equal([
      'message_not_replaceable',
      'message_not_replaceable',
      'not_found',
      'not_found',
    ])
    const empty = await ada.person.newChat()
    expect((await ada.person.request('POST', `/api/chats/${empty}/regenerate`, {})).body['code']).to.equal('message_not_replaceable')
    expect(textOf((await ada.list(chat))[0])).to.equal('q1 anew')
  })
})
