import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { createRandom, seedOfRun } from '../support/random.js'
import { shownIn, textsOf, type Writer, writerOf } from './chat-support.js'
import { type ChatFile, fileWith, message, randomFile } from './documents.js'

type Json = Record<string, unknown>

describe('exported and imported chats', () => {
  let agents: AgentsKernel
  let ada: Writer
  let eve: Person
  let handle: string

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await writerOf(agents, 'ada')
    eve = await agents.person('eve')
    handle = String((await ada.person.request('GET', `/api/agents/${ada.person.agentId}`)).body['handle'])
  })
  after(async () => {
    ada?.stream.close()
    await agents?.close()
  })

  const exportOf = async (chat: unknown): Promise<ChatFile> => {
    const { status, body } = await ada.person.request('GET', `/api/chats/${String(chat)}/export`)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body as unknown as ChatFile
  }
  const importOf = async (file: unknown, person: Person = ada.person): Promise<Json> => {
    const { status, body } = await person.request('POST', '/api/chats/import', file)
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body).slice(0, 2000)}`)
    return body
  }
  const problemsOf = async (file: unknown): Promise<readonly string[]> => {
    const { status, body } = await ada.person.request('POST', '/api/chats/import', file)
    expect(status, JSON.stringify(body).slice(0, 500)).to.equal(422)
    return (body['errors'] as readonly { readonly path: string }[]).map(({ path }) => path)
  }
  /** What is stored of somebody: nothing is left of an import that was refused. */
  const chatsOf = async (): Promise<number> =>
    ((await ada.person.request('GET', '/api/chats?limit=200')).body['items'] as readonly Json[]).length

  it('are imported unchanged: branches, tools, failures, and the next prompt of the model', async () => {
    const chat = await ada.person.newChat()
    setScript({ answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('read it')) })
    await ada.write(chat, 'q1')
    setScript({ answer: () => says('a2') })
    await ada.write(chat, 'q2')
    const before = await ada.list(chat)
    await ada.write(chat, 'q2 anew', before[4]?.id)
    await ada.regenerate(chat, before[1]?.id)
    await ada.change(chat, { title: 'Of two minds' })

    const file = await exportOf(chat)
    expect(file.branches).to.have.length(3)
    const secrets = [ada.person.userId, chat, before[0]?.id ?? '', before[0]?.run_id ?? '', ada.person.agentId]
    for (const secret of secrets) expect(JSON.stringify(file)).to.not.include(secret)

    const copy = await importOf(file)
    expect(copy).to.include({ title: 'Of two minds', branch_count: 3, message_count: 2, agent_id: ada.person.agentId })
    expect(copy['id']).to.not.equal(chat)
    expect(await exportOf(copy['id'])).to.deep.equal(file)
    const [ways, copies] = await Promise.all([ada.branches(chat), ada.branches(String(copy['id']))])
    for (const [index, way] of ways.entries()) {
      const [one, other] = [await ada.list(chat, way.id), await ada.list(String(copy['id']), copies[index]?.id)]
      expect(textsOf(other)).to.deep.equal(textsOf(one))
      expect(other.map(({ alternatives }) => alternatives?.map(({ number }) => number))).to.deep.equal(
        one.map(({ alternatives }) => alternatives?.map(({ number }) => number)),
      )
    }
    await ada.change(String(copy['id']), { branch_id: copies[0]?.id })
    const script = setScript({ answer: () => says('a3') })
    expect(await ada.write(String(copy['id']), 'q3')).to.equal('run.completed')
    expect(shownIn(script.requests[0])).to.deep.equal(['q1', 'read it', 'q2', 'a2', 'q3'])
    expect(resultsIn(script.requests[0] ?? expect.fail('no request'))).to.have.length(1)
    expect(await exportOf(chat), 'the first one is as it was').to.deep.equal(file)
  })

  it('are imported exactly, whatever their content', async function () {
    this.timeout(120_000)
    const seed = seedOfRun()
    const random = createRandom(seed)
    for (let count = 0; count < 15; count += 1) {
      const file = randomFile(random, handle)
      const { id } = await importOf(file)
      expect(await exportOf(id), `SEED=${seed}, file ${count}`).to.deep.equal(file)
      const script = setScript()
      expect(await ada.write(String(id), 'Go on'), `SEED=${seed}, file ${count}`).to.equal('run.completed')
      expect(shownIn(script.requests[0]).at(-1)).to.equal('Go on')
      expect((await ada.person.request('DELETE', `/api/chats/${String(id)}`)).status).to.equal(204)
    }
  })

  it('are attachments with the name of the chat, also in Markdown', async () => {
    const chat = await ada.person.newChat()
    setScript({ answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('It is **blue**.')) })
    await ada.write(chat, 'What colour is it?')
    await ada.change(chat, { title: 'Farbe: “blau”/grün\n' })
    const get = (query: string) =>
      fetch(`${agents.kernel.url}/api/chats/${chat}/export${query}`, { headers: { authorization: `Bearer ${ada.person.token}` } })
    const json = await get('')
    expect(json.headers.get('content-type')).to.equal('application/json')
    expect(json.headers.get('content-disposition')).to.equal(
      `attachment; filename="Farbe _blau_ gr_n.json"; filename*=UTF-8''Farbe%20%E2%80%9Cblau%E2%80%9D%20gr%C3%BCn.json`,
    )
    const markdown = await get('?format=markdown')
    expect(markdown.headers.get('content-type')).to.equal('text/markdown; charset=utf-8')
    expect(await markdown.text()).to.equal(
      '# Farbe: “blau”/grün \n\n## Person\n\nWhat colour is it?\n\n## Agent\n\n*(used the tool tool__read)*\n\nIt is **blue**.\n',
    )
    expect((await get('?format=pdf')).status).to.equal(422)
  })

  it('are complete even during a run', async () => {
    const chat = await ada.person.newChat()
    const gate = createGate()
    const begun = createGate()
    setScript({
      async *answer() {
        yield { type: 'text.delta', part: 0, text: 'so far' }
        begun.open()
        await gate.opened
        yield* says('so far and further')
      },
    })
    const run = await ada.person.post(chat, 'q1')
    await begun.opened
    const file = await exportOf(chat)
    expect(file.messages.map(({ role, status }) => [role, status])).to.deep.equal([
      ['user', 'complete'],
      ['assistant', 'failed'],
    ])
    const copy = await importOf(file)
    expect(copy['active_run_id']).to.equal(null)
    gate.open()
    await endOf(ada.stream, run)
  })

  it('are exported only by their owner, and belong to the user who imports them', async () => {
    const chat = await ada.person.newChat()
    setScript()
    await ada.write(chat, 'Mine')
    expect((await eve.request('GET', `/api/chats/${chat}/export`)).status).to.equal(404)
    const file = await exportOf(chat)
    const theirs = await importOf(file, eve)
    expect(theirs['agent_id']).to.equal(eve.agentId)
    expect((await ada.person.request('GET', `/api/chats/${String(theirs['id'])}`)).status).to.equal(404)
    const twice = [await importOf(file), await importOf(file)]
    expect(new Set(twice.map(({ id }) => id)).size).to.equal(2)
  })

  it('cannot set members that are not part of a document', async () => {
    const ids = { id: 'mine', user_id: eve.userId, chat_id: 'c', branch_id: 'b' }
    expect(await problemsOf(fileWith([message(1, 0, ids)]))).to.have.members(Object.keys(ids).map((name) => `/messages/0/${name}`))
    const opaque = [{ type: 'text', text: 'x', opaque: { vendor: 'v', data: 1 } }]
    expect(await problemsOf(fileWith([message(1, 0, { content: opaque })]))).to.include('/messages/0/content/0/opaque')
    const link = { type: 'image', media_type: 'image/png', url: 'http://10.0.0.1/secret' }
    const hostile = JSON.stringify(
      fileWith([message(1, 0, { created_at: '2999-01-01T00:00:00Z', content: [{ type: 'text', text: 'lone ?' }, link] })]),
    ).replace('lone ?"', 'lone \\ud800 here","__proto__":{"polluted":true}')
    const answer = await fetch(`${agents.kernel.url}/api/chats/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.person.token}`, 'content-type': 'application/json' },
      body: hostile,
    })
    const { id, ...rest } = (await answer.json()) as Json
    expect(answer.status, JSON.stringify(rest)).to.equal(201)
    const [stored] = await ada.list(String(id))
    expect(stored?.content).to.deep.equal([
      { type: 'text', text: 'lone \ufffd here' },
      { type: 'text', text: '(image: http://10.0.0.1/secret)' },
    ])
    expect(Date.parse((await exportOf(id)).messages[0]?.['created_at'] as string)).to.be.at.most(Date.now())
    expect(({} as Json)['polluted']).to.equal(undefined)
  })

  it('are repaired if messages are open or results have no call, and can be continued', async () => {
    const result = { type: 'tool_result', call_id: 'nobody', name: 'rm', content: [{ type: 'text', text: 'unknown result' }] }
    const { id } = await importOf(
      fileWith([
        message(1, 0),
        message(1, 1, { role: 'tool', status: 'open', content: [result] }),
        message(1, 2, { role: 'assistant', status: 'open' }),
        message(1, 3, { role: 'assistant', status: 'open', content: [] }),
      ]),
    )
    expect((await ada.list(String(id))).map(({ status }) => status)).to.deep.equal(['complete', 'complete', 'partial', 'failed'])
    const script = setScript()
    expect(await ada.write(String(id), 'Go on')).to.equal('run.completed')
    expect(JSON.stringify(script.requests[0]?.messages)).to.not.include('unknown result')
  })

  it('are refused with the path of each problem, and leave nothing behind', async () => {
    const before = await chatsOf()
    const fork = (branch: number, sequence: number) => [
      { number: 1, fork: null, created_at: '2026-01-01T00:00:00.000Z' },
      { number: 2, fork: { branch, sequence }, created_at: '2026-01-01T00:00:00.000Z' },
    ]
    const two = [message(1, 0), message(1, 1)]
    const cases: readonly [Json, string][] = [
      [fileWith([], { format: 'other' }), '/format'],
      [fileWith([], { version: 2 }), '/version'],
      [fileWith([message(1, 0, { role: 'system' })]), '/messages/0/role'],
      [fileWith([message(1, 0, { created_at: 'yesterday' })]), '/messages/0/created_at'],
      [fileWith([message(1, 0, { created_at: '2026-02-30T00:00:00Z' })]), '/messages/0/created_at'],
      [fileWith(two, { branches: fork(2, 1) }), '/branches/1/fork/branch'],
      [fileWith(two, { branches: fork(1, 5) }), '/branches/1/fork/sequence'],
      [fileWith([...two, message(1, 1)]), '/messages/2/sequence'],
      [fileWith([...two, message(2, 0)], { branches: fork(1, 1) }), '/messages/2/sequence'],
    ]
    for (const [file, path] of cases) expect(await problemsOf(file), path).to.include(path)
    expect(await chatsOf()).to.equal(before)
  })

  it('have at most fifty thousand messages', async function () {
    this.timeout(120_000)
    const messages = Array.from({ length: 100_000 }, (_, sequence) => message(1, sequence, { content: [] }))
    expect(await problemsOf(fileWith(messages))).to.include('/messages')
  })

  it('may be long: a chat of two thousand messages is imported, and opens at its end at once', async function () {
    this.timeout(120_000)
    const file = fileWith(
      Array.from({ length: 2_000 }, (_, sequence) => message(1, sequence, { run: Math.floor(sequence / 2) + 1 })),
      { chat: { ...fileWith([]).chat, agent: handle } },
    )
    const { id, message_count } = await importOf(file)
    expect(message_count).to.equal(2_000)
    expect(await exportOf(id)).to.deep.equal(file)
    const { body } = await ada.person.request('GET', `/api/chats/${String(id)}/messages?before=2000&limit=2`)
    expect((body['items'] as readonly Json[]).map(({ sequence }) => sequence)).to.deep.equal([1_998, 1_999])
  })
})
