import { createControlledClock } from '@agent-service/kernel/testing'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'

type Json = Record<string, unknown>

const dayMs = 86_400_000
const deletedNow = { environment: { SERVICE_PLUGINS_SETTINGS__FEATURE_AGENTS__DELETED_CHATS_DAYS: '0' } }

const itemsOf = async (person: Person, target: string): Promise<readonly Json[]> =>
  ((await person.request('GET', target)).body['items'] ?? []) as readonly Json[]
const idsOf = async (person: Person, target: string) => (await itemsOf(person, target)).map(({ id, chat_id }) => id ?? chat_id)
const statusOf = async (person: Person, method: string, target: string, body?: Json) => (await person.request(method, target, body)).status

/** A chat with an answered message. */
async function answeredChat(person: Person, content: string): Promise<{ readonly chat: string; readonly run: string }> {
  const stream = await person.stream()
  const chat = await person.newChat()
  const run = await person.post(chat, content)
  await endOf(stream, run)
  stream.close()
  return { chat, run }
}

describe('a deleted chat', function () {
  this.timeout(60_000)
  const clock = createControlledClock({ now: Date.now() })
  let agents: AgentsKernel
  before(async () => {
    setScript()
    agents = await startAgentsKernel({ clock })
  })
  after(() => agents?.close())

  it('is gone from everything that shows chats, until it is restored as it was', async () => {
    const ada = await agents.person('ada')
    setScript({ answer: () => says('Rhubarb it is.') })
    const { chat, run } = await answeredChat(ada, 'Rhubarb or plum?')
    await ada.request('PATCH', `/api/chats/${chat}`, { tags: ['Kitchen'], archived: true })
    const before = (await ada.request('GET', `/api/chats/${chat}`)).body
    const share = (await ada.request('POST', '/api/shares', { chat_id: chat })).body
    const stream = await ada.stream()
    expect(await statusOf(ada, 'DELETE', `/api/chats/${chat}`)).to.equal(204)
    const told = await stream.until(({ name }) => name === 'chat.deleted')

    const linkStatus = async ({ content_url: url }: Json) => (await fetch(new URL(new URL(String(url)).pathname, agents.kernel.url))).status
    const hidden = [
      ...['', '/messages', '/branches', '/runs', '/context', '/summaries', '/export'].map((part) => `/api/chats/${chat}${part}`),
      ...[`/api/runs/${run}`, `/api/runs/${run}/calls`, `/api/approvals?chat_id=${chat}`],
    ]
    for (const target of hidden) expect([target, await statusOf(ada, 'GET', target)]).to.deep.equal([target, 404])
    expect(await statusOf(ada, 'POST', `/api/chats/${chat}/messages`, { content: 'More' })).to.equal(404)
    expect(await statusOf(ada, 'PATCH', `/api/chats/${chat}`, { title: 'More' })).to.equal(404)
    expect(await statusOf(ada, 'DELETE', `/api/chats/${chat}`), 'deleted already').to.equal(404)
    for (const target of ['/api/chats', '/api/chats?archived=true', '/api/chats?tag=kitchen&archived=true', '/api/chats/search?q=rhubarb'])
      expect([target, await idsOf(ada, target)]).to.deep.equal([target, []])
    expect(await itemsOf(ada, '/api/chats/tags')).to.deep.equal([])
    expect(await linkStatus(share), 'its link').to.equal(404)

    const [listed] = await itemsOf(ada, '/api/chats/bin')
    expect(listed).to.deep.include({ id: chat, title: before['title'], archived: true, message_count: 2 })
    expect(listed?.['erased_at']).to.equal(told.data['erased_at'])
    expect(Date.parse(String(listed?.['erased_at'])) - Date.parse(String(listed?.['deleted_at']))).to.equal(30 * dayMs)

    const restored = await ada.request('POST', `/api/chats/bin/${chat}/restore`)
    expect([restored.status, restored.body]).to.deep.equal([200, before])
    expect((await stream.until(({ name }) => name === 'chat.updated')).data['chat']).to.deep.equal(before)
    stream.close()
    expect(await idsOf(ada, '/api/chats?tag=kitchen&archived=true')).to.deep.equal([chat])
    expect((await itemsOf(ada, '/api/chats/tags'))[0]).to.include({ tag: 'Kitchen', chats: 1 })
    expect(new Set(await idsOf(ada, '/api/chats/search?q=rhubarb'))).to.deep.equal(new Set([chat]))
    expect((await ada.messages(chat)).length).to.equal(2)
    expect(await linkStatus(share), 'its link').to.equal(200)
    expect(await itemsOf(ada, '/api/chats/bin')).to.deep.equal([])
    expect(await statusOf(ada, 'POST', `/api/chats/bin/${chat}/restore`), 'restored already').to.equal(404)
  })

  it('stops its run, which stays stopped', async () => {
    const ben = await agents.person('ben')
    const gate = createGate()
    setScript({
      answer: (request) => (resultsIn(request).length > 0 ? says('Done.') : calls('tool__read')),
      tool: async () => {
        await gate.opened
        return { content: [] }
      },
    })
    const stream = await ben.stream()
    const chat = await ben.newChat()
    const run = await ben.post(chat, 'Wait')
    await stream.until(({ name }) => name === 'tool_call.started')
    expect(await statusOf(ben, 'DELETE', `/api/chats/${chat}`)).to.equal(204)
    expect(await statusOf(ben, 'GET', `/api/runs/${run}`)).to.equal(404)
    gate.open()
    await endOf(stream, run)
    // What happens from here on is behind all that the end of the run says.
    const young = await ben.newChat()
    await stream.until(({ name, data }) => name === 'chat.created' && data['chat_id'] === young)
    const deletedAt = stream.events.findIndex(({ name }) => name === 'chat.deleted')
    const told = stream.events.slice(deletedAt).filter(({ name, data }) => name === 'chat.updated' && data['chat_id'] === chat)
    expect(told, 'what would put it back into lists').to.deep.equal([])
    stream.close()
    await ben.request('POST', `/api/chats/bin/${chat}/restore`)
    expect((await ben.request('GET', `/api/runs/${run}`)).body['status']).to.equal('cancelled')
    expect((await ben.request('GET', `/api/chats/${chat}`)).body['active_run_id']).to.equal(null)
  })

  it('takes no answer to what its run asks, nor repeats one that it got', async () => {
    const ida = await agents.person('ida')
    await ida.request('PATCH', `/api/agents/${ida.agentId}`, { approval: { '*': 'always' } })
    setScript({ answer: (request) => (resultsIn(request).length > 0 ? says('As you wish.') : calls('tool__unsafe')) })
    const stream = await ida.stream()
    const chat = await ida.newChat()
    const run = await ida.post(chat, 'Do it')
    const { data } = await stream.until(({ name }) => name === 'approval.requested')
    const target = `/api/runs/${run}/approvals/${String((data['approval'] as Json)['call_id'])}`
    expect(await statusOf(ida, 'POST', target, { decision: 'deny' })).to.equal(200)
    await endOf(stream, run)
    stream.close()
    await ida.request('DELETE', `/api/chats/${chat}`)
    expect(await statusOf(ida, 'POST', target, { decision: 'deny' })).to.equal(404)
  })

  it('is deleted for good on request, by its person alone, with an entry in the audit log', async () => {
    const [admin, cleo, dan] = [await agents.person('ada'), await agents.person('cleo'), await agents.person('dan')]
    const { chat } = await answeredChat(cleo, 'Secret of the pear')
    const other = (await answeredChat(cleo, 'Another pear')).chat
    expect(await statusOf(cleo, 'DELETE', `/api/chats/bin/${chat}`), 'not deleted yet').to.equal(404)
    await cleo.request('DELETE', `/api/chats/${chat}`)
    await cleo.request('DELETE', `/api/chats/${other}`)
    expect(await statusOf(dan, 'POST', `/api/chats/bin/${chat}/restore`)).to.equal(404)
    expect(await statusOf(dan, 'DELETE', `/api/chats/bin/${chat}`)).to.equal(404)
    expect(await itemsOf(dan, '/api/chats/bin')).to.deep.equal([])
    const stream = await cleo.stream()
    expect(await statusOf(cleo, 'DELETE', `/api/chats/bin/${chat}`)).to.equal(204)
    expect((await stream.until(({ name }) => name === 'chat.deleted')).data).to.include({ chat_id: chat, erased_at: null })
    stream.close()
    expect(await idsOf(cleo, '/api/chats/bin')).to.deep.equal([other])
    expect(await statusOf(cleo, 'POST', `/api/chats/bin/${chat}/restore`)).to.equal(404)
    await cleo.request('POST', `/api/chats/bin/${other}/restore`)
    for (const [kind, subject] of [
      ['chat.erased', chat],
      ['chat.restored', other],
    ])
      expect((await itemsOf(admin, `/api/admin/audit?kind=${kind}&limit=1`))[0]).to.include({ subject_id: subject, actor_id: cleo.userId })
  })

  it('loses its space if that is deleted meanwhile', async () => {
    const fay = await agents.person('fay')
    const space = String((await fay.request('POST', '/api/spaces', { name: 'Garden' })).body['id'])
    const { chat } = await answeredChat(fay, 'Which beds?')
    await fay.request('PATCH', `/api/chats/${chat}`, { tags: ['Beds'], space_id: space })
    await fay.request('DELETE', `/api/chats/${chat}`)
    await fay.request('DELETE', `/api/spaces/${space}`)
    expect(await idsOf(fay, '/api/chats?tag=beds')).to.deep.equal([])
    expect((await fay.request('POST', `/api/chats/bin/${chat}/restore`)).body).to.deep.include({ space_id: null, tags: ['Beds'] })
  })

  it('is deleted for good after its days, and no day sooner', async () => {
    const gus = await agents.person('gus')
    const { chat } = await answeredChat(gus, 'Old news')
    await gus.request('DELETE', `/api/chats/${chat}`)
    await agents.restart(() => clock.advance(29 * dayMs))
    const young = (await answeredChat(await agents.person('gus'), 'New news')).chat
    const again = await agents.person('gus')
    await again.request('DELETE', `/api/chats/${young}`)
    expect(await idsOf(again, '/api/chats/bin')).to.deep.equal([young, chat])
    await agents.restart(() => clock.advance(dayMs))
    const later = await agents.person('gus')
    await clock.advance(61_000)
    await eventually(async () => expect(await idsOf(later, '/api/chats/bin')).to.deep.equal([young]))
    expect(await statusOf(later, 'POST', `/api/chats/bin/${chat}/restore`)).to.equal(404)
  })

  it('is deleted for good at once if it has no message', async () => {
    const hal = await agents.person('hal')
    const chat = await hal.newChat()
    expect(await statusOf(hal, 'DELETE', `/api/chats/${chat}`)).to.equal(204)
    expect(await itemsOf(hal, '/api/chats/bin')).to.deep.equal([])
  })

  it('is deleted for good at once, if the service keeps none', async () => {
    const keeping = await startAgentsKernel(deletedNow)
    try {
      const ada = await keeping.person('ada')
      const { chat } = await answeredChat(ada, 'For a moment')
      await ada.request('DELETE', `/api/chats/${chat}`)
      expect((await ada.request('GET', '/api/chats/bin')).body).to.deep.equal({ items: [], next_cursor: null, keep_days: 0 })
      expect(await statusOf(ada, 'POST', `/api/chats/bin/${chat}/restore`)).to.equal(404)
    } finally {
      await keeping.close()
    }
  })
})
