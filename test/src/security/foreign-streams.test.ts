import { once } from 'node:events'
import { expect } from 'chai'
import { setScript } from '../agents/support/scripted-plugin.js'
import { type Operation, readOperations } from '../bad-input/support/operations.js'
import { connectTerminal, type TerminalClient } from '../sandbox/support/terminal-client.js'
import { operationsOf, readDescription } from '../support/api-description.js'
import { bearer, createClient } from './support/clients.js'
import { ask } from './support/foreign-ids/asking.js'
import { secretOf } from './support/foreign-ids/documents.js'
import { absentId } from './support/foreign-ids/kinds.js'
import { type OpenStream, openStream } from './support/foreign-ids/open-stream.js'
import { requestsOf } from './support/foreign-ids/requests.js'
import { type ForeignWorld, startForeignWorld } from './support/foreign-ids/world.js'

/** Every stream and socket of the service, and what of this file or another one asks for it with foreign ids. */
const streams: Readonly<Record<string, string>> = {
  streamEvents: 'here',
  streamProcessOutput: 'here',
  connectTerminal: 'here',
  streamLogEntries: 'for administrators: access.test.ts',
  createChatCompletion: 'streams its own answer; the agent that it names: foreign-ids.test.ts, and its end here',
  createResponse: 'streams its own answer; the agent that it names: foreign-ids.test.ts, and its end here',
}

describe("streams and sockets, asked for with another person's ids", function () {
  this.timeout(120_000)
  let world: ForeignWorld
  let operations: readonly Operation[]
  const open: (Pick<OpenStream, 'close'> | TerminalClient)[] = []

  before(async () => {
    world = await startForeignWorld()
    operations = await readOperations(world.url)
  })
  afterEach(() => {
    for (const each of open.splice(0)) void each.close()
  })
  after(() => world?.close())

  const stream = async (path: string, headers: Readonly<Record<string, string>>, request: RequestInit = {}): Promise<OpenStream> => {
    const opened = await openStream(`${world.url}${path}`, headers, request)
    open.push(opened)
    return opened
  }
  const terminal = async (id: string, token: string, query = ''): Promise<TerminalClient> => {
    const opened = await connectTerminal(world.url, `/api/sandbox/terminals/${id}${query}`, bearer(token))
    open.push(opened)
    return opened
  }
  const refusalOf = (connecting: Promise<unknown>): Promise<string> =>
    connecting.then(
      () => 'connected',
      (error: unknown) => String(error),
    )
  const readingToken = async (scopes: readonly string[]): Promise<string> =>
    String((await world.alice.request('POST', '/api/auth/tokens', { name: scopes.join(), scopes })).body['token'])

  /** A model that stops in the middle: what waits for the rest is ended by something else. */
  const withholdAnswers = (): unknown =>
    setScript({
      async *answer(_, signal) {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: 'So far' }
        await once(signal, 'abort')
      },
    })

  it('are all known here', async () => {
    const described = operationsOf(await readDescription(world.url)).filter(
      ({ operation }) =>
        operation['x-websocket'] !== undefined || Object.values(operation.responses).some(({ content }) => content?.['text/event-stream']),
    )
    expect(
      described.map(({ operation }) => operation.operationId).toSorted(),
      'Ask for each stream and socket with foreign ids, here or elsewhere, and say where in this list.',
    ).to.deep.equal(Object.keys(streams).toSorted())
  })

  it("8.2.2 show nothing of another person's events, whatever chat or position they name", async () => {
    const { alice, mallory } = world
    const { chat } = alice.documents
    const title = `${secretOf('alice')} in an event`
    const hers = await stream('/api/events', bearer(alice.token))
    await alice.request('PATCH', `/api/chats/${chat}`, { title })
    await hers.shows(/in an event/)
    const position = /^id: ?(\d+)$/m.exec(hers.text())?.[1] ?? expect.fail('The event has no id.')
    const before = String(Math.max(0, Number(position) - 1))
    const own = bearer(mallory.token)
    const filters = ['', `?chat_id=${chat}`, `?after=${before}`, `?after=${before}&chat_id=${chat}`]
    const asked = [
      ...(await Promise.all(filters.map((query) => stream(`/api/events${query}`, own)))),
      await stream('/api/events', { ...own, 'last-event-id': before }),
      await stream(`/api/events?chat_id=${chat}`, { ...own, 'last-event-id': before }),
    ]
    expect(asked.map(({ status }) => status)).to.deep.equal(asked.map(() => 200))
    await alice.request('PATCH', `/api/chats/${chat}`, { title: `${title} again` })
    await hers.shows(/in an event again/)
    await mallory.request('PATCH', `/api/chats/${mallory.documents.chat}`, { title: 'the mark of Mallory' })
    const whole = asked.filter((_, index) => ![1, 3, 5].includes(index))
    await Promise.all(whole.map((each) => each.shows(/the mark of Mallory/)))
    for (const each of asked) expect(each.text()).to.not.include(secretOf('alice')).and.not.include(chat).and.not.include(alice.userId)
    await alice.request('PATCH', `/api/chats/${chat}`, { title: secretOf('alice') })
  })

  it('8.2.2 are not opened to the output of a process', async () => {
    const { alice, mallory, admin } = world
    const { process } = alice.documents
    for (const person of [mallory, admin]) {
      const answers = await Promise.all(
        [process, absentId(process)].map((id) => stream(`/api/sandbox/processes/${id}/output/stream`, bearer(person.token))),
      )
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404])
      expect(await Promise.all(answers.map(({ ended }) => ended))).to.deep.equal([{ how: 'complete' }, { how: 'complete' }])
      const [seen, expected] = answers.map((each) => each.text().replace(/"request_id":"[^"]+"/, ''))
      expect(seen).to.equal(expected)
    }
  })

  it('8.2.2 tell of a terminal no byte, and let no key through', async () => {
    const { alice, mallory, admin, url } = world
    const id = alice.documents.terminal
    const own = await terminal(id, alice.token)
    await own.hears('live')
    for (const { token } of [mallory, admin])
      for (const query of ['', '?watch=true', '?from=0']) {
        const [foreign, unknown] = await Promise.all([id, absentId(id)].map((each) => terminal(each, token, query)))
        foreign?.socket.send(Buffer.from('echo injected\n'))
        const [seen, expected] = await Promise.all([foreign, unknown].map((each) => Promise.race([each?.closed, each?.hears('attached')])))
        expect(seen).to.deep.equal({ code: 1008, reason: 'not_found' })
        expect(seen).to.deep.equal(expected)
        expect([foreign?.text(), foreign?.controls]).to.deep.equal([unknown?.text(), unknown?.controls])
        expect([foreign?.text(), foreign?.controls]).to.deep.equal(['', []])
      }
    own.type('echo over-$((40+2))\n')
    await own.shows(/over-42/)
    expect(own.text()).to.not.include('injected')
    const reading = await readingToken(['read'])
    expect(await refusalOf(terminal(id, reading))).to.match(/403 .*"forbidden"/)
    expect(await refusalOf(connectTerminal(url, `/api/sandbox/terminals/${id}`))).to.match(/401 .*"unauthenticated"/)
  })

  it('7.4.2 end when the account is disabled, and no operation takes a credential of before', async () => {
    const { alice, admin, url } = world
    const client = createClient(url, { trustedProxy: true })
    const { cookie } = await client.signIn('alice')
    const { documents: own } = alice
    const token = await readingToken(['read', 'write', 'inference'])
    const links = {
      share: String((await alice.request('POST', '/api/shares', { path: own.file })).body['content_url']),
      url: String((await alice.request('POST', '/api/files/presign', { path: own.file })).body['url']),
    }
    const statusOf = async (link: string): Promise<number> => {
      const { pathname, search } = new URL(link)
      return (await fetch(`${url}${pathname}${search}`)).status
    }
    expect([await statusOf(links.share), await statusOf(links.url)]).to.deep.equal([200, 200])

    const opened = await Promise.all([
      stream('/api/events', bearer(alice.token)),
      stream('/api/events', bearer(token)),
      stream('/api/events', { cookie }),
      stream(`/api/events?token=${alice.token}`, {}),
      stream(`/api/sandbox/processes/${own.process}/output/stream`, bearer(alice.token)),
      stream(`/api/sandbox/processes/${own.process}/output/stream`, bearer(token)),
    ])
    withholdAnswers()
    const model = `agent/${own['agent handle']}`
    for (const [path, input] of Object.entries({
      responses: { input: 'Wait' },
      'chat/completions': { messages: [{ role: 'user', content: 'Wait' }] },
    })) {
      const body = JSON.stringify({ model, stream: true, ...input })
      opened.push(await stream(`/v1/${path}`, { ...bearer(token), 'content-type': 'application/json' }, { method: 'POST', body }))
    }
    await Promise.all(opened.slice(-2).map((each) => each.shows(/So far/)))
    expect(opened.map(({ status }) => status)).to.deep.equal(opened.map(() => 200))
    const sockets = [await terminal(own.terminal, alice.token), await terminal(own.terminal, token)]
    await Promise.all(sockets.map((each) => each.hears('live')))

    const { status } = await admin.request('PATCH', `/api/admin/users/${alice.userId}`, { disabled: true })
    expect(status).to.equal(200)
    // The limit of time of this test is theirs.
    expect(await Promise.all(opened.map(({ ended }) => ended))).to.deep.equal(opened.map(() => ({ how: 'complete' })))
    const ends = await Promise.all(sockets.map(({ closed }) => closed))
    expect(ends).to.deep.equal(sockets.map(() => ({ code: 1008, reason: 'credential_ended' })))

    const closed = operations.filter(({ auth, webSocket }) => auth === 'user' && !webSocket).flatMap(requestsOf)
    const credentials = { session: bearer(alice.token), token: bearer(token), cookie: { cookie } }
    for (const [what, credential] of Object.entries(credentials))
      for (const request of closed) {
        const { status } = await ask(url, request, (kind) => own[kind], credential)
        expect(status, `${request.operation.id} with a ${what}`).to.equal(401)
      }
    for (const each of [alice.token, token]) expect(await refusalOf(terminal(own.terminal, each))).to.match(/401 /)
    expect((await client.send('POST', '/api/auth/refresh', { headers: { cookie } })).status).to.equal(401)
    expect([await statusOf(links.share), await statusOf(links.url)]).to.deep.equal([404, 401])
  })
})
