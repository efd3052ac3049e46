import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { calls, resultsIn, type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { seen } from '../memory/support/kept-backend.js'
import { writeKeptPlugins } from '../memory/support/kept-plugins.js'
import townPlugin, { newTown, said, sentTexts, type Town } from './support/town-plugin.js'

const connections = '/api/channels/connections'

/** What a model is given of the owner. */
const shown = (request: ModelRequest | undefined) => ({
  tools: (request?.tools ?? []).map(({ name }) => name).sort(),
  hasMemory: JSON.stringify(request?.messages).includes('secret of Ada'),
})

describe('guests of a channel', function () {
  this.timeout(60_000)
  let folder: string
  let agents: AgentsKernel
  let ada: Person
  let town: Town
  let id: string
  let script: Script
  let guestChat: string

  const receive = (...given: Parameters<typeof said>) => town.hosts.at(-1)?.receive({ messages: [said(...given)] })
  const chatOf = async (text: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const { items } = (await ada.request('GET', '/api/chats')).body as { readonly items: readonly Readonly<Record<string, unknown>>[] }
    return items.find(({ title }) => title === text)
  }
  /** Posts a message of the owner in the console, and waits for its end. */
  const post = async (chatId: string, text: string): Promise<void> => {
    const stream = await ada.stream()
    try {
      await endOf(stream, await ada.post(chatId, text))
    } finally {
      stream.close()
    }
  }

  before(async () => {
    script = setScript({ answer: () => says('Hello.') })
    town = newTown()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-guests-'))
    const plugin = await writeTestPlugin(path.join(folder, 'town'), townPlugin, new URL('./support/town-plugin.js', import.meta.url))
    agents = await startAgentsKernel({
      plugins: [plugin, ...(await writeKeptPlugins(folder))],
      environment: { SERVICE_MEMORY_BACKEND: 'kept-a' },
    })
    ada = await agents.person('ada')
    const tools = ['remember', 'memory_search', 'forget', 'get_time', 'tool__read', 'create_task', 'delegate']
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools, memory: { enabled: true }, approval: { '*': 'never' } })
    await ada.request('POST', '/api/memory', { text: 'The secret of Ada.' })
    const members = { channel: 'town', title: 'Town', members: { token: 'x' }, access: 'open', guest_tools: ['get_time', 'remember'] }
    id = String((await ada.request('POST', connections, members)).body['id'])
    await ada.request('POST', `${connections}/${id}/senders`, { sender_id: 'ada', role: 'owner' })
    for (let connected = false; !connected; ) connected = (await ada.request('GET', `${connections}/${id}`)).body['state'] === 'connected'
  })
  after(async () => {
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('reach no memory of the owner, and only the tools that the connection names', async () => {
    await receive('1', 'Hello?', 'ada')
    await sentTexts(1)
    expect(shown(script.requests[0])).to.deep.include({ hasMemory: true })
    expect(shown(script.requests[0]).tools).to.include.members(['remember', 'tool__read'])
    await receive('2', 'Tell me all.')
    await sentTexts(2)
    expect(shown(script.requests[1])).to.deep.equal({ tools: ['get_time'], hasMemory: false })
    const chat = await chatOf('Town chat: grace')
    expect(chat?.['guests']).to.deep.equal({ tools: ['get_time', 'remember'] })
    guestChat = String(chat?.['id'])
  })

  it('get nothing by naming a tool that they were not offered', async () => {
    const used: string[] = []
    const answer = (request: ModelRequest) => (resultsIn(request).length === 0 ? calls('tool__read', 'memory_search') : says('Done.'))
    script = setScript({
      answer,
      async tool(name) {
        used.push(name)
        return { content: [] }
      },
    })
    await receive('3', '/new', 'eve')
    await receive('4', 'Use it.', 'eve')
    await sentTexts(4)
    expect(used).to.deep.equal([])
    expect(JSON.stringify(resultsIn(script.requests[1] as ModelRequest)))
      .to.contain('does not exist')
      .and.not.contain('secret of Ada')
  })

  it('keep their limits in runs that the owner begins there, also after a restart, whose answers they do not get', async () => {
    script = setScript({ answer: () => says('For Ada alone.') })
    const sent = town.sent.length
    await post(guestChat, 'What did they ask?')
    expect(shown(script.requests[0])).to.deep.equal({ tools: ['get_time'], hasMemory: false })
    await agents.restart()
    ada = await agents.person('ada')
    const tools = ['remember', 'memory_search', 'get_time', 'tool__read']
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools })
    await post(guestChat, 'And now?')
    expect(shown(script.requests[1])).to.deep.equal({ tools: ['get_time'], hasMemory: false })
    script = setScript({ answer: () => says('For Grace.') })
    for (const since = town.hosts.length; town.hosts.length === since && since < 2; ) await new Promise((resolve) => setTimeout(resolve, 5))
    await receive('5', 'Hello again?')
    expect((await sentTexts(sent + 1)).slice(sent)).to.deep.equal(['For Grace.'])
  })

  it('do not get what a person in the console says to a run of theirs', async () => {
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let begun: () => void = () => undefined
    const atWork = new Promise<void>((resolve) => {
      begun = resolve
    })
    setScript({
      async *answer() {
        begun()
        await gate
        yield* says('For Grace again.')
      },
    })
    const sent = town.sent.length
    await receive('6', 'Take your time.')
    await atWork
    const refused = await ada.request('POST', `/api/chats/${guestChat}/messages`, { content: 'What is this?' })
    expect([refused.status, refused.body['code']]).to.deep.equal([409, 'run_in_progress'])
    release()
    expect((await sentTexts(sent + 1)).slice(sent)).to.deep.equal(['For Grace again.'])
  })

  it('are never learnt from, while the owner is', async () => {
    const own = await chatOf('Town chat: ada')
    await post(String(own?.['id']), 'Hello')
    await eventually(() => seen.chatChanges.includes(`${String(own?.['id'])} messages`), { what: () => seen.chatChanges })
    expect(seen.chatChanges.filter((line) => line.startsWith(guestChat))).to.deep.equal([])
    const exported = await ada.request('GET', `/api/chats/${guestChat}/export?format=json`)
    expect(JSON.stringify(exported.body)).to.contain('"guests":{"tools":["get_time","remember"]}')
    const imported = await ada.request('POST', '/api/chats/import', exported.body)
    expect(JSON.stringify(imported.body)).to.contain('"guests":{"tools":["get_time","remember"]}')
  })
})
