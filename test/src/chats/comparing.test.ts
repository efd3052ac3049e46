import { expect } from 'chai'
import { type AgentsKernel, endOf, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { calls, resultsIn, type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { shownIn, type Writer, writerOf } from './chat-support.js'

type Json = Record<string, unknown>

const environment: Record<string, string> = {
  SERVICE_MODELS__QUICK__PROVIDER: 'upstream',
  SERVICE_MODELS__QUICK__MODEL: 'quick-model',
  SERVICE_MODELS__QUICK__API: 'completions',
}
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

/** What each model does. */
const byModel =
  (answers: { readonly own: Script['answer']; readonly quick: Script['answer'] }): Script['answer'] =>
  (request, signal) =>
    request.model === 'quick-model' ? answers.quick(request, signal) : answers.own(request, signal)

const both = byModel({ own: () => says('From the first.'), quick: () => says('From the second.') })

describe('the answers of two models to one message', () => {
  let agents: AgentsKernel
  let ada: Writer

  before(async () => {
    setScript()
    agents = await startAgentsKernel({ environment })
    ada = await writerOf(agents, 'ada')
  })
  after(async () => {
    ada?.stream.close()
    await agents?.close()
  })

  const send = (chat: string, body: Json = {}) =>
    ada.person.request('POST', `/api/chats/${chat}/messages`, { content: 'Hi', compare_with: { model: 'quick' }, ...body })
  /** The ids of both runs. */
  const compare = async (chat: string, body: Json = {}): Promise<readonly [string, string]> => {
    const answer = await send(chat, body)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(202)
    return [(answer.body['run'] as Json)['id'] as string, (answer.body['compared_run'] as Json)['id'] as string]
  }
  const read = async (chat: string): Promise<Json> => (await ada.person.request('GET', `/api/chats/${chat}`)).body
  const branchesOf = async (chat: string): Promise<readonly [string, string]> => {
    const { answers } = (await read(chat))['comparison'] as { readonly answers: readonly Json[] }
    return [String(answers[0]?.['branch_id']), String(answers[1]?.['branch_id'])]
  }
  const statusOf = async (run: string) => (await ada.person.request('GET', `/api/runs/${run}`)).body['status']
  const textsIn = async (chat: string, branch?: string) => (await ada.list(chat, branch)).map(textOf)
  const endBoth = async (runs: readonly string[]): Promise<readonly string[]> => {
    const names = []
    for (const run of runs) names.push((await endOf(ada.stream, run)).name)
    return names
  }

  it('stream side by side, each in a branch of its own below the message', async () => {
    const gates = { own: createGate(), quick: createGate() }
    const half = (name: keyof typeof gates): Script['answer'] =>
      async function* () {
        yield { type: 'text.delta', part: 0, text: `${name} begins` }
        await gates[name].opened
        yield* says(`${name} ends`)
      }
    const script = setScript({ answer: byModel({ own: half('own'), quick: half('quick') }) })
    const chat = await ada.person.newChat()
    const runs = await compare(chat)
    for (const run of runs) await ada.stream.until(({ name, data }) => name === 'text.delta' && data['run_id'] === run)
    const [first, second] = await branchesOf(chat)
    expect(await read(chat)).to.deep.include({ active_run_id: runs[0], beside_run_id: runs[1], branch_id: first, branch_count: 2 })
    const open = await ada.list(chat, second)
    expect(open.map(textOf), 'the growing text of the branch that is not shown').to.deep.equal(['Hi', 'quick begins'])
    gates.quick.open()
    expect((await endOf(ada.stream, runs[1])).name).to.equal('run.completed')
    expect(await read(chat)).to.deep.include({ active_run_id: runs[0], beside_run_id: null })
    gates.own.open()
    expect((await endOf(ada.stream, runs[0])).name).to.equal('run.completed')
    expect(await textsIn(chat)).to.deep.equal(['Hi', 'own ends'])
    expect(await textsIn(chat, second)).to.deep.equal(['Hi', 'quick ends'])
    const alternatives = (await ada.list(chat)).at(-1)?.alternatives
    expect(alternatives?.map(({ branch_id }) => branch_id)).to.deep.equal([first, second])
    expect(script.requests.map(shownIn), 'each model was shown the message alone').to.deep.equal([['Hi'], ['Hi']])
    const used = (await ada.person.request('GET', `/api/usage/calls?chat_id=${chat}`)).body['items'] as readonly Json[]
    expect(used.map(({ run_id }) => run_id)).to.have.members([...runs])
  })

  it('are followed by the next message behind the one that was chosen', async () => {
    const script = setScript({ answer: both })
    const chat = await ada.person.newChat()
    await endBoth(await compare(chat))
    const [first, second] = await branchesOf(chat)
    const { status, body } = await ada.change(chat, { branch_id: second })
    expect([status, body['comparison'], body['branch_id']]).to.deep.equal([200, null, second])
    await ada.write(chat, 'And then?')
    expect(shownIn(script.requests.at(-1))).to.deep.equal(['Hi', 'From the second.', 'And then?'])
    expect(await textsIn(chat)).to.deep.equal(['Hi', 'From the second.', 'And then?', 'From the first.'])
    expect(await textsIn(chat, first), 'the other stays').to.deep.equal(['Hi', 'From the first.'])
    expect((await ada.change(chat, { branch_id: first })).status).to.equal(200)
  })

  it('are followed by the next message behind the first one while nothing was chosen', async () => {
    setScript({ answer: both })
    const chat = await ada.person.newChat()
    await endBoth(await compare(chat))
    const [, second] = await branchesOf(chat)
    await ada.write(chat, 'And then?')
    expect((await read(chat))['comparison']).to.equal(null)
    expect(await textsIn(chat)).to.deep.equal(['Hi', 'From the first.', 'And then?', 'From the first.'])
    expect(await textsIn(chat, second)).to.deep.equal(['Hi', 'From the second.'])
  })

  it('can be chosen while both are written, and both go on', async () => {
    const gate = createGate()
    const waits = (text: string): Script['answer'] =>
      async function* () {
        yield { type: 'text.delta', part: 0, text: 'Well' }
        await gate.opened
        yield* says(text)
      }
    setScript({ answer: byModel({ own: waits('First.'), quick: waits('Second.') }) })
    const chat = await ada.person.newChat()
    const runs = await compare(chat)
    for (const run of runs) await ada.stream.until(({ name, data }) => name === 'text.delta' && data['run_id'] === run)
    const [first, second] = await branchesOf(chat)
    const { body } = await ada.change(chat, { branch_id: second })
    expect([body['active_run_id'], body['beside_run_id']]).to.deep.equal([runs[1], runs[0]])
    expect((await ada.change(chat, { branch_id: first })).status, 'what is not compared any more waits').to.equal(409)
    expect((await send(chat, { content: 'Again' })).status, 'one comparison at a time').to.equal(409)
    gate.open()
    expect(await endBoth(runs)).to.deep.equal(['run.completed', 'run.completed'])
    expect(await read(chat)).to.deep.include({ active_run_id: null, beside_run_id: null })
    expect([await textsIn(chat), await textsIn(chat, first)]).to.deep.equal([
      ['Hi', 'Second.'],
      ['Hi', 'First.'],
    ])
  })

  it('are kept if the person writes on while the other one is written', async () => {
    const gate = createGate()
    const slow: Script['answer'] = async function* () {
      yield { type: 'text.delta', part: 0, text: 'Well' }
      await gate.opened
      yield* says('Second.')
    }
    setScript({ answer: byModel({ own: () => says('First.'), quick: slow }) })
    const chat = await ada.person.newChat()
    const [own, other] = await compare(chat)
    await endOf(ada.stream, own)
    const [, second] = await branchesOf(chat)
    await ada.write(chat, 'And then?')
    expect(await read(chat)).to.deep.include({ active_run_id: null, beside_run_id: other, comparison: null })
    const { body } = await ada.change(chat, { branch_id: second })
    expect([body['active_run_id'], body['beside_run_id']], 'its run is that of the branch').to.deep.equal([other, null])
    gate.open()
    await endOf(ada.stream, other)
    expect(await textsIn(chat)).to.deep.equal(['Hi', 'Second.'])
    expect((await read(chat))['active_run_id']).to.equal(null)
  })

  it('do not need each other: one fails, one is stopped, the other comes', async () => {
    const fails: Script['answer'] = async function* () {
      yield { type: 'response.started' }
      throw new Error('The stream was cut.')
    }
    const hangs: Script['answer'] = async function* (_, signal) {
      yield { type: 'text.delta', part: 0, text: 'Half' }
      await untilAborted(signal)
    }
    setScript({ answer: byModel({ own: () => says('First.'), quick: fails }) })
    const chat = await ada.person.newChat()
    expect(await endBoth(await compare(chat))).to.deep.equal(['run.completed', 'run.failed'])
    expect(await textsIn(chat)).to.deep.equal(['Hi', 'First.'])

    setScript({ answer: byModel({ own: hangs, quick: () => says('Second.') }) })
    const other = await ada.person.newChat()
    const [own, quick] = await compare(other)
    await ada.stream.until(({ name, data }) => name === 'text.delta' && data['run_id'] === own)
    expect((await endOf(ada.stream, quick)).name).to.equal('run.completed')
    expect((await ada.person.request('POST', `/api/runs/${own}/cancel`)).body['status']).to.equal('cancelled')
    const [, second] = await branchesOf(other)
    expect(await textsIn(other)).to.deep.equal(['Hi', 'Half'])
    expect(await textsIn(other, second)).to.deep.equal(['Hi', 'Second.'])
  })

  it('are given with tools that only read', async () => {
    const script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('Read.')),
    })
    const chat = await ada.person.newChat()
    expect(await endBoth(await compare(chat))).to.deep.equal(['run.completed', 'run.completed'])
    const offered = script.requests.map(({ tools }) => tools.map(({ name }) => name))
    expect(new Set(offered.flat())).to.deep.equal(new Set(['get_time', 'tool__read']))
    const [, second] = await branchesOf(chat)
    const roles = async (branch?: string) => (await ada.list(chat, branch)).map(({ role }) => role)
    expect(await roles()).to.deep.equal(['user', 'assistant', 'tool', 'assistant'])
    expect(await roles(second)).to.deep.equal(['user', 'assistant', 'tool', 'assistant'])
    await ada.change(chat, { branch_id: second })
    const next = setScript()
    await ada.write(chat, 'Go on')
    expect(next.requests[0]?.tools.map(({ name }) => name)).to.include('tool__unsafe')
  })

  it('begin once, however often the request is repeated', async () => {
    const script = setScript({ answer: both })
    const chat = await ada.person.newChat()
    const keyed = async (more: Json): Promise<{ readonly status: number; readonly body: Json }> => {
      const { url, token } = ada.person
      const answer = await fetch(`${url}/api/chats/${chat}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'compare-once' },
        body: JSON.stringify({ content: 'Hi', ...more }),
      })
      return { status: answer.status, body: (await answer.json()) as Json }
    }
    const one = await keyed({ compare_with: { model: 'quick' } })
    const two = await keyed({ compare_with: { model: 'quick' } })
    expect([(two.body['run'] as Json)['id'], (two.body['compared_run'] as Json)['id']]).to.deep.equal([
      (one.body['run'] as Json)['id'],
      (one.body['compared_run'] as Json)['id'],
    ])
    await endBoth([String((one.body['run'] as Json)['id']), String((one.body['compared_run'] as Json)['id'])])
    expect(script.requests).to.have.length(2)
    expect((await keyed({})).status, 'another request').to.equal(422)
  })

  it('are refused before anything is stored', async () => {
    const chat = await ada.person.newChat()
    const { status, body } = await send(chat, { compare_with: { model: 'gone' } })
    expect([status, (body['errors'] as readonly Json[])[0]?.['path']]).to.deep.equal([422, '/compare_with/model'])
    expect(await ada.list(chat)).to.deep.equal([])
    const hangs: Script['answer'] = async function* (_, signal) {
      yield { type: 'text.delta', part: 0, text: 'Half' }
      await untilAborted(signal)
    }
    setScript({ answer: hangs })
    const run = await ada.person.post(chat, 'Wait')
    const busy = await send(chat)
    expect([busy.status, busy.body['code']]).to.deep.equal([409, 'run_in_progress'])
    await ada.person.request('POST', `/api/runs/${run}/cancel`)
  })

  it('are nobody else’s', async () => {
    setScript({ answer: both })
    const chat = await ada.person.newChat()
    const runs = await compare(chat)
    await endBoth(runs)
    const [, second] = await branchesOf(chat)
    const bob = await agents.person('bob')
    const requests = [
      bob.request('POST', `/api/chats/${chat}/messages`, { content: 'Hi', compare_with: { model: 'quick' } }),
      bob.request('PATCH', `/api/chats/${chat}`, { branch_id: second }),
      bob.request('GET', `/api/chats/${chat}/messages?branch_id=${second}`),
      bob.request('POST', `/api/runs/${runs[1]}/cancel`),
    ]
    for (const { status } of await Promise.all(requests)) expect(status).to.equal(404)
  })

  it('are deleted with their chat, also while they are written', async () => {
    const aborted: string[] = []
    setScript({
      async *answer({ model }, signal) {
        yield { type: 'text.delta', part: 0, text: 'Half' }
        await untilAborted(signal).finally(() => aborted.push(model))
      },
    })
    const chat = await ada.person.newChat()
    const runs = await compare(chat)
    for (const run of runs) await ada.stream.until(({ name, data }) => name === 'text.delta' && data['run_id'] === run)
    expect((await ada.person.request('DELETE', `/api/chats/${chat}`)).status).to.equal(204)
    expect(aborted).to.have.members(['recorded-model', 'quick-model'])
    expect((await ada.person.request('GET', `/api/runs/${runs[1]}`)).status).to.equal(404)
  })

  it('both go on after a restart', async () => {
    setScript({
      async *answer(_, signal) {
        yield { type: 'text.delta', part: 0, text: 'Half' }
        await untilAborted(signal)
      },
    })
    const chat = await ada.person.newChat()
    const runs = await compare(chat)
    for (const run of runs) await ada.stream.until(({ name, data }) => name === 'text.delta' && data['run_id'] === run)
    const after = ada.stream.events.findLast(({ id }) => id !== undefined)?.id ?? expect.fail('no id')
    const comparison = (await read(chat))['comparison']
    ada.stream.close()
    await agents.restart(() => void setScript({ answer: both }))
    const person = await agents.person('ada')
    const stream = await person.stream({ after })
    for (const run of runs) expect((await endOf(stream, run)).name).to.equal('run.completed')
    stream.close()
    ada = await writerOf(agents, 'ada')
    expect((await read(chat))['comparison'], 'nothing is chosen yet').to.deep.equal(comparison)
    const [, second] = await branchesOf(chat)
    expect(await textsIn(chat)).to.deep.equal(['Hi', 'From the first.'])
    expect(await textsIn(chat, second)).to.deep.equal(['Hi', 'From the second.'])
    expect([await statusOf(runs[0]), await statusOf(runs[1])]).to.deep.equal(['completed', 'completed'])
  })
})
