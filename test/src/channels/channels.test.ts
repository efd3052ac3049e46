import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { callsWith } from '../agents/support/asking-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import type { EventStream } from '../support/api.js'
import townPlugin, { newTown, said, sentTexts, type Town } from './support/town-plugin.js'

describe('channels of a running service', function () {
  this.timeout(60_000)
  let folder: string
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream
  let town: Town
  let id: string

  const connections = '/api/channels/connections'
  const untilState = (state: string, from = 0) =>
    stream.next(from, ({ name, data }) => name === 'channel.updated' && data['connection_id'] === id && data['state'] === state)
  const receive = (...messages: Parameters<typeof said>[]) =>
    town.hosts.at(-1)?.receive({ messages: messages.map((given) => said(...given)), state: { last: messages.length } })

  before(async () => {
    setScript({ answer: () => says('Hello from the agent.') })
    town = newTown()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-town-'))
    const plugin = await writeTestPlugin(path.join(folder, 'town'), townPlugin, new URL('./support/town-plugin.js', import.meta.url))
    agents = await startAgentsKernel({ plugins: [plugin] })
    ada = await agents.person('ada')
    stream = await ada.stream()
    const made = await ada.request('POST', connections, { channel: 'town', title: 'Town', members: { token: 'town-canary-secret' } })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    id = String(made.body['id'])
    await untilState('connected')
  })
  after(async () => {
    stream?.close()
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('let a stranger in whom the owner approves, and answer what they wrote in a chat', async () => {
    await receive(['1', 'Hello?'])
    const [asked = ''] = await sentTexts(1)
    const { body } = await ada.request('GET', `${connections}/${id}/pairings`)
    const [pairing] = body['items'] as readonly Readonly<Record<string, unknown>>[]
    expect(asked).to.contain(String(pairing?.['code']))
    const told = await stream.until(({ name, data }) => name === 'notification.created' && data['kind'] === 'channel.pairing')
    expect(told.data['text']).to.contain(String(pairing?.['code']))
    const approved = await ada.request('POST', `${connections}/${id}/pairings/${String(pairing?.['id'])}/approve`, { role: 'owner' })
    expect(approved.status, JSON.stringify(approved.body)).to.equal(200)
    expect((await sentTexts(3)).slice(1)).to.have.members([
      'You are let in: write, and the agent answers. /help says more.',
      'Hello from the agent.',
    ])
    const chats = (await ada.request('GET', '/api/chats')).body['items'] as readonly Readonly<Record<string, unknown>>[]
    expect(chats.map(({ title }) => title)).to.deep.equal(['Town chat: grace'])
  })

  it('take a message once, and a second one into the same chat', async () => {
    const before = town.sent.length
    await receive(['1', 'Hello?'], ['2', 'And now?'])
    await receive(['2', 'And now?'])
    await sentTexts(before + 1)
    const chats = (await ada.request('GET', '/api/chats')).body['items'] as readonly { readonly id: string }[]
    expect(chats).to.have.length(1)
    const texts = (await ada.messages(chats[0]?.id ?? '')).filter(({ role }) => role === 'user').map(({ content }) => content[0]?.text)
    expect(texts).to.deep.equal(['Hello?', 'And now?'])
    // The town has a message before it is stored that it was sent.
    await eventually(async () => {
      const sent = (await ada.request('GET', `${connections}/${id}/deliveries`)).body['items'] as readonly Readonly<
        Record<string, unknown>
      >[]
      expect(new Set(sent.map(({ state }) => state))).to.deep.equal(new Set(['sent']))
      return true
    })
  })

  it('ask for approvals, and take the answer of the owner', async () => {
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools: ['tool__write'], approval: { '*': 'always' } })
    const write = { name: 'tool__write', arguments: { folder: 'cellar', text: 'a list' } }
    setScript({ answer: (request) => (resultsIn(request).length === 0 ? callsWith(write) : says('It is done.')) })
    const before = town.sent.length
    await receive(['3', '/new'], ['4', 'Do it.'])
    const texts = await sentTexts(before + 2)
    expect(texts.at(-1), 'the whole call').to.contain('(folder: "cellar", text: "a list")')
    expect(texts.at(-1)).to.match(/Answer “yes” or “no”/)
    // Words count once it is stored that the question was sent.
    for (let isSent = false; !isSent; ) {
      const sent = (await ada.request('GET', `${connections}/${id}/deliveries`)).body['items'] as readonly Readonly<
        Record<string, unknown>
      >[]
      isSent = sent.some(({ kind, state }) => kind === 'question' && state === 'sent')
    }
    await receive(['5', 'yes'])
    expect((await sentTexts(before + 3)).at(-1)).to.equal('It is done.')
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { approval: { '*': 'never' } })
  })

  it('reach the service over the address of the connection, and nowhere else', async () => {
    setScript({ answer: () => says('Over the web.') })
    const before = town.sent.length
    const { body } = await ada.request('GET', `${connections}/${id}`)
    const { pathname } = new URL(String(body['webhook_url']))
    const url = `${agents.kernel.url}${pathname}`
    const post = (at: string, text: string) =>
      fetch(at, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id: `w-${text}`, text }) })
    expect(await (await fetch(`${url}?challenge=a%20b`)).text()).to.equal('a b')
    expect((await post(url, 'forged')).status).to.equal(401)
    const taken = await post(url, 'Hi')
    expect([taken.status, await taken.text()]).to.deep.equal([200, 'ok'])
    expect((await sentTexts(before + 1)).at(-1)).to.equal('Over the web.')
    const wrong = await Promise.all([post(`${url}x`, 'Hi'), post(url.replace(id, 'other'), 'Hi')])
    for (const answer of wrong)
      expect([answer.status, ((await answer.json()) as { readonly code: string }).code]).to.deep.equal([404, 'not_found'])
    const large = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'x'.repeat(2 * 1_048_576) })
    expect(large.status).to.equal(413)
  })

  it('go on after a restart in the middle of a run, and answer once', async () => {
    const before = town.sent.length
    const answers: { release: () => void } = { release: () => undefined }
    const gate = new Promise<void>((resolve) => {
      answers.release = resolve
    })
    let begun = false
    setScript({
      async *answer(_, signal) {
        begun = true
        await Promise.race([gate, new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))])
        yield* says('After all.')
      },
    })
    await receive(['7', 'Take your time.'])
    await eventually(() => begun, { what: 'the begin of the run' })
    stream.close()
    await agents.restart(() => answers.release())
    ada = await agents.person('ada')
    stream = await ada.stream()
    expect((await sentTexts(before + 1)).at(-1)).to.equal('After all.')
    await receive(['7', 'Take your time.'])
    const { body } = await ada.request('GET', `${connections}/${id}/deliveries`)
    expect((body['items'] as readonly object[]).length).to.equal(town.sent.length)
  })

  it('wait while their plugin is disabled, and go on once it is back', async () => {
    const admin = (what: string) => ada.request('POST', `/api/admin/plugins/channel-town/${what}`)
    await ada.request('POST', '/api/auth/confirm', { password: 'a long enough password' })
    const from = stream.events.length
    const disabled = await admin('disable')
    expect(disabled.status, JSON.stringify(disabled.body)).to.equal(200)
    await untilState('retrying', from)
    expect((await ada.request('GET', `${connections}/${id}`)).body['state']).to.equal('unavailable')
    const back = stream.events.length
    await admin('enable')
    await untilState('connected', back)
  })

  it('are unknown to others, and keep their secrets', async () => {
    const grace = await agents.person('grace')
    for (const [method, at] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['GET', '/senders'],
    ] as const)
      expect((await grace.request(method, `${connections}/${id}${at}`)).status, at).to.equal(404)
    expect((await grace.request('GET', '/api/admin/channels/connections')).status).to.equal(403)
    const lines = agents.kernel.log.map((line) => JSON.stringify(line)).join('\n')
    expect(lines).not.to.contain('town-canary-secret')
  })
})
