import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import type { DeliveredEvent } from '@agent-service/sdk/services/events'
import { expect } from 'chai'
import { aChat, ada, type OpenedPlugin, openPlugin } from '../test-support/open-plugin.js'

const { signal } = new AbortController()

describe('chats and memory', () => {
  let opened: OpenedPlugin
  let count = 0
  beforeEach(async () => {
    opened = await openPlugin()
  })
  afterEach(() => opened.dispose())

  const deliver = (name: string, data: object): Promise<void> => {
    count += 1
    const event = { kind: 'event', id: `e${count}`, userId: ada, name, data, recordedAt: '2026-01-01T00:00:00.000Z', attempt: 1 }
    return opened.host.services.events.deliver(event as DeliveredEvent)
  }
  /** Delivers what the plugin has recorded itself, as the service does. */
  const deliverOwn = async (): Promise<void> => {
    for (const { name, data } of [...opened.host.services.events.recorded]) await deliver(name, data)
  }
  const choose = (remember: boolean) =>
    opened.host.request('PUT /api/memory/chats/{chat_id}', { params: { chat_id: 'chat-1' }, body: { remember } })
  const reasons = (): readonly string[] => opened.basic.chatChanges.map(({ chatId, reason }) => `${chatId} ${reason}`)
  const part = () => {
    const [found] = opened.host.contributed(chatParts)
    if (!found) throw new Error('The plugin contributed no part of chats.')
    return found
  }

  it('are told to the back end as they change and are deleted, with their agent and space', async () => {
    opened.host.services.chats.put(ada, 'chat-1', { ...aChat, spaceId: 'space-1' })
    await deliver('chat.updated', { chat_id: 'chat-1' })
    await deliver('chat.deleted', { chat_id: 'chat-1' })
    expect(opened.basic.chatChanges).to.deep.equal([
      { userId: ada, chatId: 'chat-1', agentId: 'agent-1', spaceId: 'space-1', reason: 'messages', at: '2026-01-01T00:00:00.000Z' },
      { userId: ada, chatId: 'chat-1', agentId: '', spaceId: null, reason: 'deleted', at: '2026-01-01T00:00:00.000Z' },
    ])
  })

  it('that were deleted are not forgotten while they can be restored, and are when they are gone for good', async () => {
    await deliver('chat.deleted', { chat_id: 'chat-1', erased_at: '2026-02-01T00:00:00.000Z' })
    expect(reasons()).to.deep.equal([])
    await deliver('chat.deleted', { chat_id: 'chat-1', erased_at: null })
    expect(reasons()).to.deep.equal(['chat-1 deleted'])
  })

  it('of agents among themselves and of agents without memory are not learnt from', async () => {
    opened.host.services.chats.put(ada, 'hidden-1', { ...aChat, hidden: true })
    opened.host.services.chats.put(ada, 'chat-2', { ...aChat, agentId: 'agent-gone' })
    for (const id of ['hidden-1', 'chat-2', 'chat-gone']) await deliver('chat.updated', { chat_id: id })
    expect(reasons()).to.deep.equal([])
  })

  it('in which guests write are not learnt from, and nothing is remembered or found in them', async () => {
    opened.host.services.chats.put(ada, 'guests-1', { ...aChat, guests: true })
    for (const name of ['chat.created', 'chat.updated']) await deliver(name, { chat_id: 'guests-1' })
    await deliver('memory.updated', { chat_id: 'guests-1', change: 'included' })
    expect(reasons()).to.deep.equal([])
    await opened.host.request('POST /api/memory', { body: { text: 'Ada likes tea.' } })
    const context = { userId: ada, agentId: 'agent-1', chatId: 'guests-1', guests: { tools: ['remember', 'memory_search', 'forget'] } }
    const calls = [
      ['remember', { text: 'x' }],
      ['memory_search', { query: 'tea' }],
      ['forget', { id: 'm' }],
    ] as const
    for (const [name, input] of calls)
      expect(JSON.stringify(await opened.host.call(name, input, context)), name)
        .to.contain('others than the person write')
        .and.not.contain('likes')
    expect(opened.basic.records(ada)).to.have.length(1)
    const of = { params: { chat_id: 'guests-1' } }
    expect(await opened.host.request('GET /api/memory/chats/{chat_id}', of)).to.deep.include({
      json: { chat_id: 'guests-1', remember: false },
    })
    const put = opened.host.request('PUT /api/memory/chats/{chat_id}', { ...of, body: { remember: true } })
    expect(await put.catch((error: unknown) => error)).to.have.property('code', 'chat_of_guests')
  })

  it('that are not to be remembered are neither learnt from nor written from, until they are again', async () => {
    await choose(false)
    await choose(false)
    await deliverOwn()
    await deliver('chat.updated', { chat_id: 'chat-1' })
    expect(reasons()).to.deep.equal(['chat-1 excluded'])
    const remember = { userId: ada, agentId: 'agent-1', chatId: 'chat-1' }
    expect(JSON.stringify(await opened.host.call('remember', { text: 'x' }, remember))).to.contain('does not want')
    expect(opened.basic.records(ada)).to.deep.equal([])
    await choose(true)
    await deliverOwn()
    await deliver('chat.updated', { chat_id: 'chat-1' })
    expect(reasons().slice(-1)).to.deep.equal(['chat-1 messages'])
    expect(reasons()).to.include('chat-1 included')
  })

  it('are told again while the back end fails, and an exclusion after a gap', async () => {
    await choose(false)
    opened.basic.fault = 'fail'
    const failure: unknown = await deliver('chat.deleted', { chat_id: 'chat-9' }).catch((error: unknown) => error)
    expect(failure).to.have.property('code', 'memory_unavailable')
    opened.basic.fault = undefined
    await opened.host.services.events.deliver({ kind: 'gap', id: 'g', userId: ada, lost: 3, until: '2026-01-01T00:00:00.000Z', attempt: 1 })
    expect(reasons()).to.deep.equal(['chat-1 excluded'])
    await choose(true)
    await opened.host.services.events.deliver({ kind: 'gap', id: 'h', userId: ada, lost: 3, until: '2026-01-01T00:00:00.000Z', attempt: 1 })
    expect(reasons()).to.deep.equal(['chat-1 excluded', 'chat-1 included'])
  })

  it('take their choice with them as they are exported, imported and deleted', async () => {
    const place = { chatId: 'chat-1', userId: ada }
    expect(await part().export(place, { signal })).to.equal(undefined)
    await choose(false)
    expect(await part().export(place, { signal })).to.deep.equal({ remember: false })
    await choose(true)
    expect(await part().export(place, { signal })).to.deep.equal({ remember: true, was_excluded: true })
    await part().import({ chatId: 'chat-5', userId: ada }, { remember: true, was_excluded: true }, { signal })
    expect(opened.host.services.events.recorded.slice(-2).map(({ data }) => data)).to.deep.equal([
      { change: 'excluded', chat_id: 'chat-5' },
      { change: 'included', chat_id: 'chat-5' },
    ])
    await part().import({ chatId: 'chat-3', userId: ada }, { remember: false }, { signal })
    await part().import({ chatId: 'chat-4', userId: ada }, { remember: 'no' }, { signal })
    opened.host.services.chats.put(ada, 'chat-3', aChat)
    opened.host.services.chats.put(ada, 'chat-4', aChat)
    const choiceOf = async (chat_id: string) => {
      const answer = await opened.host.request('GET /api/memory/chats/{chat_id}', { params: { chat_id } })
      return answer.kind === 'json' && (answer.json as { readonly remember: boolean }).remember
    }
    expect([await choiceOf('chat-3'), await choiceOf('chat-4')]).to.deep.equal([false, true])
    await part().erase(place, { signal })
    await part().erase(place, { signal })
    expect(await choiceOf('chat-1')).to.equal(true)
  })
})
