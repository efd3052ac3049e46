import { expect } from 'chai'
import { bob, type ChannelBench, codeOf, openBench } from '../test-support/channel-bench.js'
import { aMessage } from '../test-support/town.js'

describe('what pages read of connections', () => {
  let bench: ChannelBench
  afterEach(() => bench.close())
  const conversations = 'GET /api/channels/connections/{connection_id}/conversations'

  it('are the conversations of a person’s own connection, each with its chat', async () => {
    bench = await openBench()
    const id = await bench.connect({ access: 'open' })
    const params = { connection_id: id }
    expect(await bench.items(conversations, { params })).to.deep.equal([])
    await bench.town.receive(aMessage('1'), aMessage('2', { from: 'hopper' }))
    await bench.until('two runs', () => bench.started.length === 2)
    await bench.until('chats', async () => (await bench.items(conversations, { params })).every(({ chat_id }) => chat_id !== null))
    const items = await bench.items(conversations, { params })
    expect(items.map(({ conversation_id: name }) => name)).to.have.members(['with-grace', 'with-hopper'])
    expect(items[0]).to.deep.include({ kind: 'direct', questions: 0 })
    expect(items[0]).not.to.have.any.keys('connection_id', 'recent', 'user_id')
    expect(await codeOf(bench.items(conversations, { params, principal: bob }))).to.equal('not_found')
  })

  it('are the settings that hold where a connection has none', async () => {
    bench = await openBench({ retry: { max_retries: 7 } })
    expect(await bench.request('GET /api/channels/retry')).to.deep.equal({
      ...{ max_retries: 7, initial_backoff_ms: 1_000, backoff_multiplier: 2, max_backoff_ms: 60_000 },
    })
  })

  it('are where the notification of a person who asks leads to', async () => {
    bench = await openBench()
    const id = await bench.connect()
    await bench.town.receive(aMessage('1'))
    await bench.until('a notification', () => bench.notifications.sent.length > 0)
    expect(bench.notifications.sent[0]).to.deep.include({ kind: 'channel.pairing', link: `/channels/${id}` })
  })
})
