import { expect } from 'chai'
import { inboxCollection } from '../store/inbox.js'
import { admin, type ChannelBench, codeOf, openBench } from '../test-support/channel-bench.js'
import { aMessage, createTown } from '../test-support/town.js'

const path = '/api/channels/connections/{connection_id}'
const group = { conversation: { id: 'square', kind: 'group', title: 'Square' } } as const

describe('chats of guests of channels', () => {
  let bench: ChannelBench
  let id: string
  let settled: number
  beforeEach(async () => {
    settled = 0
    bench = await openBench({ town: createTown({ supports: { groups: true } }) })
    id = await bench.connect({ access: 'open' })
  })
  afterEach(() => bench.close())

  const params = () => ({ params: { connection_id: id } })
  const change = (body: object) => bench.request(`PATCH ${path}`, { ...params(), body: { ...body } })
  const letIn = (sender: string, role: string) => bench.request(`POST ${path}/senders`, { ...params(), body: { sender_id: sender, role } })
  /** The chat that a message is given to. */
  const chatOf = async (...message: Parameters<typeof aMessage>): Promise<unknown> => {
    await bench.town.receive(aMessage(...message))
    settled += 1
    await bench.until('the run', async () => {
      const page = await bench.database.collection(inboxCollection).query({ index: 'by_settled', from: '', limit: 200 })
      return page.items.length >= settled
    })
    return bench.started.at(-1)?.chat
  }

  it('are marked for what the connection permits, also for the owner in a group', async () => {
    await change({ guest_tools: ['get_time'] })
    await letIn('ada', 'owner')
    const marked = { guests: { tools: ['get_time'] } }
    expect(await chatOf('1')).to.deep.equal({ title: 'Town chat: grace', ...marked })
    expect(await chatOf('2', { from: 'ada' })).to.deep.equal({ title: 'Town chat: ada' })
    expect(await chatOf('3', { from: 'ada', ...group })).to.deep.equal({ title: 'Town chat: Square', ...marked })
    expect(bench.started.map(({ answerFor }) => answerFor)).to.deep.equal(['report', 'report', 'report'])
  })

  it('are others after a person has become the owner, or is it no longer, or may use something else', async () => {
    expect(await chatOf('1')).to.deep.include({ guests: { tools: [] } })
    expect(await chatOf('2')).to.deep.equal({ id: 'chat-1' })
    await letIn('grace', 'owner')
    expect(await chatOf('3')).to.deep.equal({ title: 'Town chat: grace' })
    expect(await chatOf('4')).to.deep.equal({ id: 'chat-3' })
    await letIn('grace', 'guest')
    expect(await chatOf('5')).to.deep.include({ guests: { tools: [] } })
    await change({ guest_tools: ['get_time'] })
    expect(await chatOf('6')).to.deep.include({ guests: { tools: ['get_time'] } })
    expect(await chatOf('7')).to.deep.equal({ id: 'chat-6' })
  })

  it('have no group of tools, and a shared connection none at all', async () => {
    expect(await codeOf(change({ guest_tools: ['server__*'] }))).to.equal('invalid_request')
    const body = { channel: 'town', title: 'All', members: { place: 'here', token: 'x' }, guest_tools: ['get_time'] }
    const shared = bench.request('POST /api/admin/channels/connections', { principal: admin, body })
    expect(await codeOf(shared)).to.equal('invalid_request')
  })
})
