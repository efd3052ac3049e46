import { createControlledClock } from '@agent-service/kernel/testing'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'

type Json = Record<string, unknown>

const hourMs = 3_600_000
const itemsOf = async (person: Person, target: string): Promise<readonly Json[]> =>
  ((await person.request('GET', target)).body['items'] ?? []) as readonly Json[]
const newTemporary = async (person: Person): Promise<string> =>
  String((await person.request('POST', '/api/chats', { temporary: true })).body['id'])
const statusOf = async (person: Person, target: string) => (await person.request('GET', target)).status

describe('a temporary chat', function () {
  this.timeout(60_000)
  const clock = createControlledClock({ now: Date.now() })
  let agents: AgentsKernel
  before(async () => {
    setScript()
    agents = await startAgentsKernel({ clock, titles: true })
  })
  after(() => agents?.close())

  it('is in no list and no search, has no title of a model and no link, and says when it goes', async () => {
    const script = setScript({ answer: () => says('Quince.') })
    const ada = await agents.person('ada')
    const stream = await ada.stream()
    const created = (await ada.request('POST', '/api/chats', { temporary: true })).body
    const chat = String(created['id'])
    expect(created).to.include({ temporary: true, hidden: true })
    expect(Date.parse(String(created['expires_at'])) - Date.parse(String(created['updated_at']))).to.equal(24 * hourMs)
    await endOf(stream, await ada.post(chat, 'Which fruit, quince?'))
    stream.close()
    for (const target of ['/api/chats', '/api/chats?archived=true', '/api/chats/search?q=quince', '/api/chats/bin'])
      expect([target, await itemsOf(ada, target)]).to.deep.equal([target, []])
    expect((await ada.messages(chat)).length).to.equal(2)
    expect((await ada.request('GET', `/api/chats/${chat}`)).body['title']).to.equal('Which fruit, quince?')
    expect(script.requests.length, 'no model was asked for a title').to.equal(1)
    const { status, body } = await ada.request('POST', '/api/shares', { chat_id: chat })
    expect([status, body['code']]).to.deep.equal([409, 'chat_temporary'])
    expect((await ada.request('PATCH', `/api/chats/${chat}`, { pinned: true })).body['code']).to.equal('chat_hidden')
  })

  it('is answered after a restart, and becomes a chat like any other if it is kept', async () => {
    setScript({ answer: () => says('Medlar.') })
    const chat = await newTemporary(await agents.person('ben'))
    await agents.restart()
    const ben = await agents.person('ben')
    const stream = await ben.stream()
    await endOf(stream, await ben.post(chat, 'And now?'))
    stream.close()
    const kept = await ben.request('PATCH', `/api/chats/${chat}`, { temporary: false })
    expect(kept.body).to.include({ temporary: false, hidden: false, expires_at: null })
    expect((await itemsOf(ben, '/api/chats')).map(({ id }) => id)).to.deep.equal([chat])
    await agents.restart(() => clock.advance(48 * hourMs))
    const later = await agents.person('ben')
    await clock.advance(61_000)
    expect(await statusOf(later, `/api/chats/${chat}`)).to.equal(200)
  })

  it('has no tool of the memory, which the other chats of its agent have, until it is kept', async () => {
    const script = setScript({ answer: () => says('Plum.') })
    const eve = await agents.person('eve')
    await eve.request('PATCH', `/api/agents/${eve.agentId}`, { tools: ['remember', 'get_time'] })
    const stream = await eve.stream()
    const temporary = await newTemporary(eve)
    for (const chat of [temporary, await eve.newChat()]) await endOf(stream, await eve.post(chat, 'Remember plums'))
    await eve.request('PATCH', `/api/chats/${temporary}`, { temporary: false })
    await endOf(stream, await eve.post(temporary, 'And now?'))
    stream.close()
    const offered = script.requests.map(({ tools = [] }) => tools.map(({ name }) => name).filter((name) => name === 'remember'))
    expect(offered).to.deep.equal([[], ['remember'], ['remember']])
  })

  it('is deleted for good at once on request, without the bin', async () => {
    const cleo = await agents.person('cleo')
    const chat = await newTemporary(cleo)
    const stream = await cleo.stream()
    expect((await cleo.request('DELETE', `/api/chats/${chat}`)).status).to.equal(204)
    expect((await stream.until(({ name }) => name === 'chat.deleted')).data).to.include({ chat_id: chat, erased_at: null })
    stream.close()
    expect(await itemsOf(cleo, '/api/chats/bin')).to.deep.equal([])
  })

  it('is deleted for good when it was left alone for its hours, counted from what happened in it last', async () => {
    setScript({ answer: () => says('Sloe.') })
    let dan = await agents.person('dan')
    const [left, used] = [await newTemporary(dan), await newTemporary(dan)]
    await agents.restart(() => clock.advance(20 * hourMs))
    dan = await agents.person('dan')
    const stream = await dan.stream()
    await endOf(stream, await dan.post(used, 'Still there?'))
    stream.close()
    await agents.restart(() => clock.advance(5 * hourMs))
    await clock.advance(61_000)
    dan = await agents.person('dan')
    await eventually(async () => expect(await statusOf(dan, `/api/chats/${left}`)).to.equal(404))
    expect(await statusOf(dan, `/api/chats/${used}`), 'it was used 5 hours ago').to.equal(200)
    await agents.restart(() => clock.advance(20 * hourMs))
    await clock.advance(61_000)
    dan = await agents.person('dan')
    await eventually(async () => expect(await statusOf(dan, `/api/chats/${used}`)).to.equal(404))
  })
})
