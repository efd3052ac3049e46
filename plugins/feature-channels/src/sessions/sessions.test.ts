import type { JsonObject } from '@agent-service/sdk'
import {
  channelConnectionInvalidError,
  channelThrottledError,
  channelUnauthorizedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'
import { expect } from 'chai'
import { type ChannelBench, openBench } from '../test-support/channel-bench.js'
import { createTown } from '../test-support/town.js'

const lost = () => channelUnavailableError.create({ channel: 'Town chat', reason: 'the line broke' })

describe('sessions of connections', () => {
  let bench: ChannelBench
  afterEach(() => bench.close())

  const failTimes = (count: number, make: () => Error): void => {
    let left = count
    bench.town.onConnect = () => {
      left -= 1
      if (left >= 0) throw make()
    }
  }
  const until = (id: string, state: string) => bench.until(state, async () => (await bench.state(id))['state'] === state)
  const make = async (members = {}): Promise<string> =>
    String(
      (
        await bench.request('POST /api/channels/connections', {
          body: { channel: 'town', title: 'Town bot', members: { place: 'here', token: 'town-secret-1' }, ...members },
        })
      )['id'],
    )

  it('begin with the secrets, show the account, and begin again at once when the vendor asks for it', async () => {
    bench = await openBench()
    const id = await bench.connect()
    expect(bench.town.sessions[0]?.connection).to.deep.include({ id, origin: 'user', members: { place: 'here', token: 'town-secret-1' } })
    const view = await bench.state(id)
    expect(view).to.deep.include({ account: { id: 'bot-1', name: '@town_bot' }, failures: 0, members: { place: 'here' } })
    expect(JSON.stringify(view)).not.to.contain('town-secret-1')
    bench.town.sessions[0]?.end()
    await bench.until('a second session', () => bench.town.sessions.length === 2)
    expect(bench.town.sessions[0]?.signal.aborted).to.equal(true)
  })

  it('are tried again after a pause that is shown, and count from the beginning once one was healthy', async () => {
    bench = await openBench()
    failTimes(2, lost)
    const id = await make()
    await until(id, 'retrying')
    expect(await bench.state(id)).to.deep.include({ failures: 1 })
    const { next_attempt_at: next, failure } = await bench.state(id)
    expect(Date.parse(String(next)) - bench.host().services.clock.now()).to.be.within(0, 1_000)
    expect(failure).to.deep.include({
      code: 'channel_unavailable',
      message: 'Town chat is not available: the line broke. Try again later.',
    })
    await bench.advance(1_000)
    await bench.until('two failures', async () => (await bench.state(id))['failures'] === 2)
    await bench.advance(2_000)
    await until(id, 'connected')
    expect((await bench.state(id))['failures']).to.equal(2)
    await bench.advance(60_000)
    await bench.until('no failure', async () => (await bench.state(id))['failures'] === 0)
    bench.town.sessions.at(-1)?.end(lost())
    await until(id, 'retrying')
    expect((await bench.state(id))['failures']).to.equal(1)
  })

  it('fail at once when the vendor refuses the credentials, tell the owner, and no message shows a secret', async () => {
    bench = await openBench()
    failTimes(1, () => channelConnectionInvalidError.create({ member: 'token', reason: 'is not town-secret-1' }))
    const id = await make()
    await until(id, 'failed')
    const { failure, next_attempt_at: next } = await bench.state(id)
    expect(next).to.equal(null)
    expect(JSON.stringify(failure)).to.contain('channel_connection_invalid').and.not.contain('town-secret-1')
    expect(bench.notifications.sent.map(({ kind }) => kind)).to.deep.equal(['channel.failed'])
    await bench.restart({ stops: true })
    expect((await bench.state(id))['state']).to.equal('failed')
    await bench.request('POST /api/channels/connections/{connection_id}/retry', { params: { connection_id: id } })
    await until(id, 'connected')
  })

  it('fail when a token is revoked while they are open', async () => {
    bench = await openBench()
    const id = await bench.connect()
    bench.town.sessions[0]?.end(channelUnauthorizedError.create({ channel: 'Town chat', reason: 'revoked' }))
    await until(id, 'failed')
  })

  it('wait as long as the vendor asks, which counts as no try', async () => {
    bench = await openBench({ retry: { max_retries: 0 } })
    failTimes(3, () => channelThrottledError.create({ channel: 'Town chat', retryAfterMs: 200_000 }))
    const id = await make()
    for (let time = 0; time < 3; time += 1) {
      await bench.until('the wait', async () => {
        const { state, next_attempt_at: next } = await bench.state(id)
        return state === 'retrying' && Date.parse(String(next)) === bench.host().services.clock.now() + 200_000
      })
      await bench.advance(200_000)
    }
    await until(id, 'connected')
  })

  it('fail for good after the retries of the connection itself, which precede those of the section', async () => {
    bench = await openBench()
    failTimes(100, lost)
    const id = await make({ retry: { max_retries: 2, initial_backoff_ms: 0 } })
    await bench.until('failed', async () => {
      await bench.advance(1_000)
      return (await bench.state(id))['state'] === 'failed'
    })
    expect(await bench.state(id)).to.deep.include({ failures: 3 })
  })

  it('of a channel that hangs end after their time, and those of others go on', async () => {
    bench = await openBench()
    bench.town.onConnect = () => new Promise(() => undefined)
    const id = await make()
    await until(id, 'connecting')
    bench.town.onConnect = () => undefined
    await bench.connect()
    await bench.advance(30_000)
    await bench.until('the failure', async () => JSON.stringify((await bench.state(id))['failure']).includes('did not connect within 30 s'))
  })

  it('end when a connection is switched off, changed or deleted', async () => {
    bench = await openBench()
    const id = await bench.connect()
    const params = { connection_id: id }
    await bench.request('PATCH /api/channels/connections/{connection_id}', { params, body: { enabled: false } })
    expect(bench.town.sessions[0]?.signal.aborted).to.equal(true)
    expect((await bench.state(id))['state']).to.equal('off')
    await bench.request('PATCH /api/channels/connections/{connection_id}', { params, body: { enabled: true } })
    await until(id, 'connected')
    await bench.request('PATCH /api/channels/connections/{connection_id}', { params, body: { title: 'Other' } })
    expect(bench.town.sessions).to.have.length(2)
    await bench.request('DELETE /api/channels/connections/{connection_id}', { params })
    expect(bench.town.sessions[1]?.signal.aborted).to.equal(true)
  })

  it('show people that the account is there, and away before they end', async () => {
    bench = await openBench({ town: createTown({ supports: { presence: true } }) })
    const id = await bench.connect()
    const change = (body: JsonObject) =>
      bench.request('PATCH /api/channels/connections/{connection_id}', { params: { connection_id: id }, body })
    await change({ enabled: false })
    expect(bench.town.presence).to.deep.equal(['online', 'away'])
    await change({ enabled: true })
    await until(id, 'connected')
    await bench.restart({ stops: true })
    await bench.until('another session', () => bench.town.presence.length === 5)
    expect(bench.town.presence.slice(2)).to.deep.equal(['online', 'away', 'online'])
  })

  it('end although the channel never shows that the account is away', async () => {
    const town = createTown({ supports: { presence: true } })
    bench = await openBench({ town })
    const id = await bench.connect()
    town.onPresence = (state) => (state === 'away' ? new Promise(() => undefined) : undefined)
    await bench.request('DELETE /api/channels/connections/{connection_id}', { params: { connection_id: id } })
    expect(town.sessions[0]?.signal.aborted).to.equal(true)
  })
})
