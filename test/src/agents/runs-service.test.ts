import type { StartRunRequest } from '@agent-service/sdk/services/runs'
import { expect } from 'chai'
import { callsWith } from './support/asking-kernel.js'
import { eventsOf, finishedRun, personWithId, type RunsKernel, type RunsPerson, startRunsKernel } from './support/runs-kernel.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing was thrown',
    (error: { readonly code?: string }) => error.code,
  )

describe('runs as a service', () => {
  let agents: RunsKernel
  let ada: RunsPerson
  let ben: RunsPerson
  let keys = 0

  const request = (more: Partial<StartRunRequest> = {}): StartRunRequest => {
    keys += 1
    return { userId: ada.id, key: `key ${keys}`, message: 'Hello', ...more }
  }
  const listed = async (person: RunsPerson): Promise<readonly string[]> =>
    ((await person.request('GET', '/api/chats')).body['items'] as readonly { readonly id: string }[]).map(({ id }) => id)
  /** Everything that a user has, as the export of their data tells. */
  const everything = async (userId: string): Promise<number> => {
    const runs = await agents.runs.list({ userId, limit: 200 })
    return runs.items.length
  }

  before(async () => {
    agents = await startRunsKernel()
    ada = await personWithId(agents, 'ada')
    ben = await personWithId(agents, 'ben')
  })
  after(() => agents?.close())
  beforeEach(() => {
    setScript()
  })

  it('starts one in a new visible chat, and one in a hidden chat', async () => {
    const seen = await agents.runs.start(request({ chat: { title: 'Mine' } }))
    const { run, text } = await finishedRun(agents.runs, ada.id, seen.run.id)
    expect([run.status, text, run.reportsTo, run.parent]).to.deep.equal(['completed', 'Hello.', null, null])
    expect((await ada.messages(run.chatId)).map(({ id, role }) => [id === seen.messageId, role])).to.deep.equal([
      [true, 'user'],
      [false, 'assistant'],
    ])
    const hidden = await agents.runs.start(request({ chat: { hidden: true } }))
    await finishedRun(agents.runs, ada.id, hidden.run.id)
    expect(await listed(ada))
      .to.include(seen.run.chatId)
      .and.not.include(hidden.run.chatId)
  })

  it('starts one only once for a key, from any caller, even after a restart', async () => {
    const asked = request({ message: 'Once', chat: { title: 'Once' } })
    const all = await Promise.all(Array.from({ length: 8 }, () => agents.runs.start(asked)))
    expect(new Set(all.map(({ run }) => run.id)).size).to.equal(1)
    expect(all.filter(({ repeated }) => !repeated)).to.have.length(1)
    const [first] = all
    const runId = first?.run.id ?? expect.fail('nothing was started')
    await finishedRun(agents.runs, ada.id, runId)
    await agents.restart()
    const again = await agents.runs.start({ ...asked, chat: { title: 'Once' } })
    expect([again.run.id, again.run.status, again.messageId, again.repeated]).to.deep.equal([runId, 'completed', first?.messageId, true])
    expect((await agents.runs.list({ userId: ada.id, chatId: again.run.chatId })).items).to.have.length(1)
    for (const other of [{ message: 'Twice' }, { chat: { title: 'Other' } }, { limits: { maxSeconds: 5 } }])
      expect(await codeOf(agents.runs.start({ ...asked, ...other }))).to.equal('idempotency_key_reused')
    const another = await agents.runs.start({ ...asked, userId: ben.id })
    expect(another.repeated).to.equal(false)
    await finishedRun(agents.runs, ben.id, another.run.id)
  })

  it('checks user, agent, chat, space, parent and rights before anything is written', async () => {
    ada = await personWithId(agents, 'ada')
    ben = await personWithId(agents, 'ben')
    const off = await personWithId(agents, 'off')
    const chat = await ada.newChat()
    const going = await agents.runs.start(request())
    await finishedRun(agents.runs, ada.id, going.run.id)
    const disabled = await off.request('GET', '/api/agents')
    const [offAgent] = disabled.body['items'] as readonly { readonly id: string }[]
    await off.request('PATCH', `/api/agents/${offAgent?.id}`, { enabled: false })
    const before = [await everything(ada.id), await everything(ben.id), await everything(off.id), (await listed(ben)).length]
    const refused: readonly (readonly [Partial<StartRunRequest>, string])[] = [
      [{ userId: '01900000-0000-7000-8000-000000000000' }, 'user_not_found'],
      [{ userId: ben.id, agent: { id: ada.agentId } }, 'agent_not_found'],
      [{ userId: off.id, agent: { id: offAgent?.id ?? '' } }, 'agent_not_found'],
      [{ agent: { handle: 'nobody' } }, 'agent_not_found'],
      [{ userId: ben.id, chat: { id: chat } }, 'not_found'],
      [{ chat: { spaceId: 'nowhere' } }, 'not_found'],
      [{ userId: ben.id, parent: { runId: going.run.id } }, 'not_found'],
      [{ parent: { runId: going.run.id } }, 'run_request_invalid'],
      [{ tools: ['tool__read', 'no_such_tool'] }, 'run_request_invalid'],
      [{ modelGroup: 'nowhere' }, 'model_group_unknown'],
      [{ message: '' }, 'run_request_invalid'],
      [{ key: '' }, 'run_request_invalid'],
      [{ limits: { maxSeconds: 0 } }, 'run_request_invalid'],
      [{ result: { name: 'bad name', schema: {} } }, 'run_request_invalid'],
    ]
    for (const [more, code] of refused) expect(await codeOf(agents.runs.start(request(more))), JSON.stringify(more)).to.equal(code)
    const gone = AbortSignal.abort(new Error('gone'))
    const thrown = await agents.runs.start(request(), { signal: gone }).catch((error: Error) => error.message)
    expect(thrown).to.equal('gone')
    expect([await everything(ada.id), await everything(ben.id), await everything(off.id), (await listed(ben)).length]).to.deep.equal(before)
    expect((await ada.messages(chat)).length).to.equal(0)
    expect((await agents.runs.list({ userId: '01900000-0000-7000-8000-000000000000' })).items).to.deep.equal([])
  })

  it('refuses a chat with a run in progress, or passes the message to that run on request', async () => {
    let answer: () => void = () => undefined
    const answering = new Promise<void>((resolve) => {
      answer = resolve
    })
    setScript({
      async *answer() {
        await answering
        yield* says('Done.')
      },
    })
    const first = await agents.runs.start(request())
    const chat = { id: first.run.chatId }
    expect(await codeOf(agents.runs.start(request({ chat })))).to.equal('run_in_progress')
    const joining = request({ chat, ifBusy: 'join', message: 'And this' })
    const joined = await agents.runs.start(joining)
    expect([joined.run.id, joined.repeated]).to.deep.equal([first.run.id, false])
    const again = await agents.runs.start(joining)
    expect([again.messageId, again.repeated]).to.deep.equal([joined.messageId, true])
    answer()
    await finishedRun(agents.runs, ada.id, first.run.id)
    expect((await ada.messages(chat.id)).filter(({ role }) => role === 'user')).to.have.length(2)
  })

  it('offers only the allowed tools, and refuses a call of another', async () => {
    const script = setScript({ answer: (asked) => (resultsIn(asked).length === 0 ? calls('tool__idempotent') : says('Done.')) })
    const { run } = await agents.runs.start(request({ tools: ['tool__read'] }))
    await finishedRun(agents.runs, ada.id, run.id)
    expect(script.requests.map(({ tools }) => tools.map(({ name }) => name))).to.deep.equal([['tool__read'], ['tool__read']])
    const [result] = resultsIn(script.requests[1] ?? expect.fail('asked once'))
    expect(result).to.include({ is_error: true })
    expect(JSON.stringify(result)).to.include('does not exist')
  })

  it('keeps a run within the limits that it was started with', async () => {
    const script = setScript({ answer: (asked) => (asked.tools.length > 0 ? calls('tool__read') : says('Enough.')) })
    const { run } = await agents.runs.start(request({ limits: { maxToolTurns: 2, maxOutputTokens: 77 } }))
    const ended = await finishedRun(agents.runs, ada.id, run.id)
    expect([ended.run.status, ended.run.turns, ended.text]).to.deep.equal(['completed', 3, 'Enough.'])
    expect(new Set(script.requests.map(({ settings }) => settings?.['max_tokens']))).to.deep.equal(new Set([77]))
    setScript({
      async *answer(_, signal) {
        yield { type: 'response.started' }
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        signal.throwIfAborted()
      },
    })
    const slow = await agents.runs.start(request({ limits: { maxSeconds: 1 } }))
    const { failure } = (await finishedRun(agents.runs, ada.id, slow.run.id)).run
    expect(failure).to.include({ code: 'run_overdue' })
  })

  it('lists by chat, parent, report and state, page by page, and never across users', async () => {
    let answer: () => void = () => undefined
    const answering = new Promise<void>((resolve) => {
      answer = resolve
    })
    setScript({
      async *answer() {
        await answering
        yield* says('Done.')
      },
    })
    const reportsTo = { kind: 'tests.task', id: 'seven' }
    const above = await agents.runs.start(request({ reportsTo }))
    const below = await Promise.all(['a', 'b', 'c'].map(() => agents.runs.start(request({ parent: { runId: above.run.id }, reportsTo }))))
    const deep = await agents.runs.start(request({ parent: { runId: below[0]?.run.id ?? '' } }))
    const deeper = await agents.runs.start(request({ parent: { runId: deep.run.id } }))
    expect([deeper.run.parent?.depth, await codeOf(agents.runs.start(request({ parent: { runId: deeper.run.id } })))]).to.deep.equal([
      3,
      'run_too_deep',
    ])
    const idsOf = async (filter: Partial<Parameters<typeof agents.runs.list>[0]>, userId = ada.id): Promise<readonly string[]> => {
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const page = await agents.runs.list({ userId, limit: 2, ...filter, ...(cursor === undefined ? {} : { cursor }) })
        ids.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return ids
    }
    const children = below.map(({ run }) => run.id)
    const all = [above.run.id, ...children, deep.run.id, deeper.run.id]
    expect(await idsOf({ parentRunId: above.run.id })).to.have.members(children)
    expect(await idsOf({ reportsTo })).to.have.members([above.run.id, ...children])
    expect(await idsOf({ open: true })).to.have.members(all)
    expect(await idsOf({ chatId: deep.run.chatId })).to.deep.equal([deep.run.id])
    expect(await idsOf({ reportsTo }, ben.id)).to.deep.equal([])
    expect(await codeOf(idsOf({ chatId: deep.run.chatId }, ben.id))).to.equal('not_found')
    expect(await codeOf(idsOf({ parentRunId: above.run.id }, ben.id))).to.equal('not_found')
    expect(await codeOf(idsOf({ open: true, cursor: 'nonsense' }))).to.equal('run_request_invalid')
    for (const act of [
      () => agents.runs.get({ userId: ben.id, runId: above.run.id }),
      () => agents.runs.cancel({ userId: ben.id, runId: above.run.id }, { signal: AbortSignal.timeout(5_000) }),
      () => eventsOf(agents.runs, { userId: ben.id, runId: above.run.id }),
      () => agents.runs.answer({ userId: ben.id, runId: above.run.id, callId: 'x', decision: 'approve' }),
    ])
      expect(await codeOf(act())).to.equal('not_found')
    // With the run above the others those below it end.
    const stopped = await agents.runs.cancel({ userId: ada.id, runId: above.run.id }, { signal: AbortSignal.timeout(10_000) })
    expect(stopped.status).to.equal('cancelled')
    for (const runId of [...children, deep.run.id, deeper.run.id])
      expect((await finishedRun(agents.runs, ada.id, runId)).run.status).to.equal('cancelled')
    expect(await idsOf({ open: true })).to.deep.equal([])
    answer()
  })

  it('ends child runs with their parent, even across a restart', async () => {
    setScript({
      async *answer(_, signal) {
        yield { type: 'response.started' }
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        signal.throwIfAborted()
      },
    })
    const above = await agents.runs.start(request())
    const below = await agents.runs.start(request({ parent: { runId: above.run.id } }))
    await agents.restart()
    ada = await personWithId(agents, 'ada')
    ben = await personWithId(agents, 'ben')
    expect((await agents.runs.get({ userId: ada.id, runId: below.run.id })).finishedAt).to.equal(null)
    await agents.runs.cancel({ userId: ada.id, runId: above.run.id }, { signal: AbortSignal.timeout(10_000) })
    expect((await finishedRun(agents.runs, ada.id, below.run.id)).run.status).to.equal('cancelled')
  })

  it('has the report target of a run in its events', async () => {
    const stream = await ada.stream()
    const reportsTo = { kind: 'tests.task', id: 'eight' }
    const { run } = await agents.runs.start(request({ reportsTo }))
    const { data } = await stream.until(({ name, data }) => name === 'run.completed' && data['run_id'] === run.id)
    stream.close()
    expect(data['reports_to']).to.deep.equal(reportsTo)
    expect((await agents.runs.get({ userId: ada.id, runId: run.id })).reportsTo).to.deep.equal(reportsTo)
  })

  it('answers an approval that a run asks for', async () => {
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, {
      tools: ['tool__idempotent', 'ask_user'],
      approval: { tool__idempotent: 'always' },
    })
    setScript({ answer: (asked) => (resultsIn(asked).length === 0 ? calls('tool__idempotent') : says('Done.')) })
    const { run } = await agents.runs.start(request())
    const asked = await eventsOf(agents.runs, { userId: ada.id, runId: run.id }, ({ type }) => type === 'waiting')
    const waiting = asked.at(-1)
    const [question] = waiting?.type === 'waiting' ? waiting.questions : []
    expect(question).to.include({ kind: 'approval' })
    const place = { userId: ada.id, runId: run.id, callId: question?.callId ?? '' }
    expect(await codeOf(agents.runs.answer({ ...place, decision: 'answer', answer: 'Seven' }))).to.equal('invalid_request')
    await agents.runs.answer({ ...place, decision: 'approve', note: 'Go on' })
    const { run: ended } = await finishedRun(agents.runs, ada.id, run.id)
    expect([ended.status, ended.questions]).to.deep.equal(['completed', []])
    expect(await codeOf(agents.runs.answer({ ...place, decision: 'deny' }))).to.equal('approval_resolved')
  })
  it('answers a question that a run asks, which the model then reads', async () => {
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools: ['ask_user'], approval: {} })
    const ask = { name: 'ask_user', arguments: { question: 'Tea or coffee?', options: ['Tea', 'Coffee'] } }
    const script = setScript({ answer: (given) => (resultsIn(given).length === 0 ? callsWith(ask) : says('Served.')) })
    const { run } = await agents.runs.start(request())
    const asked = await eventsOf(agents.runs, { userId: ada.id, runId: run.id }, ({ type }) => type === 'waiting')
    const waiting = asked.at(-1)
    const [question] = waiting?.type === 'waiting' ? waiting.questions : []
    expect(question).to.deep.include({ kind: 'question', options: ['Tea', 'Coffee'] })
    const place = { userId: ada.id, runId: run.id, callId: question?.callId ?? '' }
    const given = { decision: 'answer', answer: 'Neither, water' } as const
    expect(await codeOf(agents.runs.answer({ ...place, decision: 'approve' }))).to.equal('invalid_request')
    expect(await codeOf(agents.runs.answer({ ...place, ...given, userId: ben.id }))).to.equal('not_found')
    await agents.runs.answer({ ...place, ...given })
    const { run: ended, text } = await finishedRun(agents.runs, ada.id, run.id)
    expect([ended.status, ended.questions, text]).to.deep.equal(['completed', [], 'Served.'])
    expect(JSON.stringify(resultsIn(script.requests.at(-1) ?? expect.fail('no request')))).to.contain('Neither, water')
    expect(await codeOf(agents.runs.answer({ ...place, ...given }))).to.equal('nothing was thrown')
    expect(await codeOf(agents.runs.answer({ ...place, decision: 'answer', answer: 'Tea' }))).to.equal('approval_resolved')
  })

  it('withholds a tool from an agent whose memory is off, and offers it to one whose memory is on', async () => {
    for (const enabled of [false, true]) {
      await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools: ['tool__read', 'tool__memory'], memory: { enabled } })
      const script = setScript({ answer: (given) => (resultsIn(given).length === 0 ? calls('tool__memory') : says('Done.')) })
      const { run } = await agents.runs.start(request())
      await finishedRun(agents.runs, ada.id, run.id)
      expect(script.requests[0]?.tools.map(({ name }) => name)).to.deep.equal(enabled ? ['tool__memory', 'tool__read'] : ['tool__read'])
      const [result] = resultsIn(script.requests[1] ?? expect.fail('asked once'))
      expect(result?.is_error ?? false).to.equal(!enabled)
    }
  })
})
