import { expect } from 'chai'
import { type AgentsKernel, endOf, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'

type Json = Record<string, unknown>

describe('what clients show beside chats', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
  })
  after(() => agents?.close())

  it('follows chats and spaces by events, also those that other clients create and delete', async () => {
    const ada = await agents.person('ada')
    const stream = await ada.stream()
    const chat = await ada.newChat()
    const created = await stream.until(({ name }) => name === 'chat.created')
    expect((created.data['chat'] as Json)['id']).to.equal(chat)
    const space = (await ada.request('POST', '/api/spaces', { name: 'Kitchen' })).body
    expect((await stream.until(({ name }) => name === 'space.updated')).data['space']).to.deep.equal(space)
    const renamed = (await ada.request('PATCH', `/api/spaces/${space['id']}`, { name: 'Bathroom' })).body
    const event = await stream.until(({ name, data }) => name === 'space.updated' && (data['space'] as Json)['name'] === 'Bathroom')
    expect(event.data['space']).to.deep.equal(renamed)
    await ada.request('DELETE', `/api/spaces/${space['id']}`)
    expect((await stream.until(({ name }) => name === 'space.deleted')).data).to.include({ space_id: space['id'] })
    await ada.request('DELETE', `/api/chats/${chat}`)
    expect((await stream.until(({ name }) => name === 'chat.deleted')).data).to.include({ chat_id: chat })
    stream.close()
  })

  it('has one chat although its creation was repeated with the same key', async () => {
    const ben = await agents.person('ben')
    const create = async () => {
      const answer = await fetch(new URL('/api/chats', agents.kernel.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: '{}',
      })
      return ((await answer.json()) as Json)['id']
    }
    expect(await create()).to.equal(await create())
    expect(((await ben.request('GET', '/api/chats')).body['items'] as readonly Json[]).length).to.equal(1)
  })

  it('has the runs of a chat, how full the context is, and what each model call cost', async () => {
    const eve = await agents.person('eve')
    const stream = await eve.stream()
    setScript({ answer: () => says('Yes.') })
    const chat = await eve.newChat()
    expect((await eve.request('GET', `/api/chats/${chat}/context`)).body).to.deep.include({ tokens: null })
    const run = await eve.post(chat, 'Is it?')
    await endOf(stream, run)
    const { tokens, window, reserve, compact_above } = (await eve.request('GET', `/api/chats/${chat}/context`)).body as Record<
      string,
      number
    >
    expect(tokens).to.equal(15)
    expect(compact_above).to.equal(Math.floor((4 * ((window ?? 0) - (reserve ?? 0))) / 5))
    const [listed] = (await eve.request('GET', `/api/chats/${chat}/runs`)).body['items'] as readonly Json[]
    expect(listed).to.deep.include({ id: run, status: 'completed', chat_id: chat, failure: null })
    expect(listed?.['usage']).to.include({ input_tokens: 10, output_tokens: 5 })
    const [call] = (await eve.request('GET', `/api/usage/calls?chat_id=${chat}`)).body['items'] as readonly Json[]
    expect(call).to.include({ chat_id: chat, run_id: run, input_tokens: 10 })
    const other = await agents.person('mallory')
    expect((await other.request('GET', `/api/chats/${chat}/runs`)).status).to.equal(404)
    expect((await other.request('GET', `/api/chats/${chat}/context`)).status).to.equal(404)
    expect((await other.request('GET', `/api/usage/calls?chat_id=${chat}`)).body['items']).to.deep.equal([])
    stream.close()
  })

  it('has the calls of a run in progress with what they have printed so far', async () => {
    const zoe = await agents.person('zoe')
    const stream = await zoe.stream()
    const gate = createGate()
    setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('Done.')),
      async tool(_name, _given, { output }) {
        await output('first line\n')
        await gate.opened
        return { content: [{ type: 'text', text: 'all of it' }] }
      },
    })
    const run = await zoe.post(await zoe.newChat(), 'Look')
    await stream.until(({ name, data }) => name === 'tool_call.delta' && data['output'] !== undefined)
    const callsNow = async () => (await zoe.request('GET', `/api/runs/${run}/calls`)).body['calls'] as readonly Json[]
    const [during] = await callsNow()
    expect(during).to.deep.include({ name: 'tool__read', finished_at: null, output: { offset: 0, text: 'first line\n' } })
    gate.open()
    await endOf(stream, run)
    const [afterwards] = await callsNow()
    expect(afterwards).to.not.have.any.keys('output', 'content')
    expect(String(afterwards?.['finished_at']) >= String(afterwards?.['started_at'])).to.equal(true)
    stream.close()
  })

  it('has what can be attached', async () => {
    const ada = await agents.person('ada')
    const { status, body } = await ada.request('GET', '/api/chats/attachments')
    expect([status, body['max_files'], body['max_image_bytes']]).to.deep.equal([200, 20, 4 * 1024 * 1024])
  })
})
