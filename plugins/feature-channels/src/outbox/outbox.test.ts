import {
  channelOutcomeUnknownError,
  channelRejectedError,
  channelThrottledError,
  channelUnauthorizedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'
import type { Runs } from '@agent-service/sdk/services/runs'
import { testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { admin, bob, type ChannelBench, codeOf, openBench } from '../test-support/channel-bench.js'
import { aMessage, createTown, type Town } from '../test-support/town.js'

describe('deliveries to channels', () => {
  let bench: ChannelBench
  let id: string
  afterEach(() => bench.close())

  const open = async (town?: Town): Promise<void> => {
    bench = await openBench(town ? { town } : {})
    id = await bench.connect({ access: 'open' })
  }
  const deliveries = () => bench.items('GET /api/channels/connections/{connection_id}/deliveries', { params: { connection_id: id } })
  const states = async () => (await deliveries()).map(({ state }) => state)
  const answer = async (text: string): Promise<void> => {
    const before = bench.started.length
    bench.say(text)
    await bench.town.receive(aMessage(`m${before}`))
    await bench.until('the run', () => bench.started.length === before + 1)
    await bench.ended(before + 1)
  }
  const until = (wanted: readonly string[]) =>
    bench.until(wanted.join(), async () => JSON.stringify(await states()) === JSON.stringify(wanted))

  it('are sent in order, part by part, and once however often the end of the run is reported', async () => {
    await open()
    await answer(`${'First paragraph. '.repeat(10)}\n\n${'Second paragraph. '.repeat(10)}`)
    await bench.ended(1)
    await until(['sent', 'sent'])
    const texts = await bench.sent(2)
    expect(texts[0]).to.match(/^First/)
    expect(texts[1]).to.match(/^Second/)
    expect(bench.town.sent.map(({ id: key, chunk }) => [key, chunk])).to.deep.equal([
      ['run-1.0', { index: 0, count: 2 }],
      ['run-1.1', { index: 1, count: 2 }],
    ])
    expect(bench.town.sent).to.have.length(2)
  })

  it('are reported to the owner once they were sent', async () => {
    await open()
    const before = bench.host().services.events.recorded.length
    await answer('Hello')
    await until(['sent'])
    const reported = bench.host().services.events.recorded.slice(before)
    expect(reported.map(({ name, data }) => [name, data])).to.deep.include(['channel.updated', { connection_id: id, change: 'delivery' }])
    expect(JSON.stringify(reported)).not.to.contain('Hello')
  })

  it('of a shared connection are reported to administrators when they fail, not to whom they are for', async () => {
    bench = await openBench()
    bench.host().services.accounts.add({ ...testAccount, id: 'root', username: 'root', handle: 'root', role: 'admin' })
    const body = { channel: 'town', title: 'Town bot', members: { place: 'here', token: 'town-secret-1' } }
    await bench.request('POST /api/admin/channels/connections', { principal: admin, body })
    await bench.until('a session', () => bench.town.sessions.length === 1)
    await bench.town.receive(aMessage('1', { from: 'bob-there' }))
    const code = String(/code is (\w+)/.exec((await bench.sent(1))[0] ?? '')?.[1])
    bench.town.onSend = () => {
      throw channelRejectedError.create({ channel: 'Town chat', reason: 'it has a bad word' })
    }
    await bench.request('POST /api/channels/pairings/claim', { principal: bob, body: { code, sender_id: 'bob-there' } })
    const reportedTo = (): readonly (string | null)[] =>
      bench
        .host()
        .services.events.recorded.filter(({ data }) => data['change'] === 'delivery')
        .map(({ userId }) => userId)
    await bench.until('the report', () => reportedTo().length > 0)
    expect(new Set(reportedTo())).to.deep.equal(new Set(['root']))
  })

  it('are looked up where the ends of their runs were missed, once, and not those of long ago', async () => {
    await open()
    bench.say('Not lost.')
    await bench.town.receive(aMessage('m0'))
    await bench.until('the run', () => bench.started.length === 1)
    const gap = (userId: string | null, until: string) =>
      bench.host().services.events.deliver({ kind: 'gap', id: `g-${until}`, userId, lost: 1, until, attempt: 1 })
    await gap('user-2', '2026-01-01T00:00:00.000Z')
    await gap(null, '2026-02-01T00:00:00.000Z')
    expect(await deliveries()).to.deep.equal([])
    for (const userId of ['user-1', null]) await gap(userId, '2026-01-01T00:00:00.000Z')
    await bench.ended(1)
    await until(['sent'])
    expect(await bench.sent(1)).to.deep.equal(['Not lost.'])
  })

  it('wait while the vendor cannot be reached, and are tried again', async () => {
    await open()
    let down = 2
    bench.town.onSend = () => {
      down -= 1
      if (down >= 0) throw channelUnavailableError.create({ channel: 'Town chat', reason: 'it is down' })
    }
    await answer('Here.')
    await bench.until('the message', async () => {
      await bench.advance(4_000)
      return bench.town.sent.length === 1
    })
    await until(['sent'])
    expect((await deliveries())[0]?.['attempts']).to.equal(3)
  })

  it('wait as long as the vendor asks, which counts as no try', async () => {
    await open()
    let asks = true
    bench.town.onSend = () => {
      if (asks) throw channelThrottledError.create({ channel: 'Town chat', retryAfterMs: 600_000 })
    }
    await answer('Here.')
    await bench.until('the refusal', async () => JSON.stringify(await deliveries()).includes('channel_throttled'))
    asks = false
    await bench.advance(599_000)
    expect(bench.town.sent).to.deep.equal([])
    await bench.advance(2_000)
    await until(['sent'])
    expect((await deliveries())[0]?.['attempts']).to.equal(1)
  })

  it('that the vendor refuses fail alone, and can be sent again', async () => {
    await open()
    bench.town.onSend = () => {
      throw channelRejectedError.create({ channel: 'Town chat', reason: 'it has a bad word' })
    }
    await answer('Bad.')
    await until(['failed'])
    bench.town.onSend = () => undefined
    await answer('Good.')
    await until(['sent', 'failed'])
    const params = { connection_id: id, delivery_id: 'run-1.0' }
    const resend = () => bench.request('POST /api/channels/connections/{connection_id}/deliveries/{delivery_id}/resend', { params })
    await resend()
    expect(await bench.sent(2)).to.deep.equal(['Good.', 'Bad.'])
    await bench.until('the state', async () => (await states())[1] === 'sent')
    expect(await codeOf(resend())).to.equal('channel_state')
  })

  it('whose outcome is not known are shown as that, and never sent twice by themselves', async () => {
    await open()
    bench.town.afterSend = () => {
      throw channelOutcomeUnknownError.create({ channel: 'Town chat', reason: 'the line broke' })
    }
    await answer('Once.')
    await until(['unknown'])
    bench.town.afterSend = () => undefined
    await answer('Next.')
    await until(['sent', 'unknown'])
    expect(await bench.sent(2)).to.deep.equal(['Once.', 'Next.'])
  })

  it('on their way during a crash are unknown after it', async () => {
    await open()
    bench.town.afterSend = () => new Promise(() => undefined)
    await answer('Once.')
    await bench.sent(1)
    bench.town.afterSend = () => undefined
    await bench.restart()
    await until(['unknown'])
    expect(bench.town.sent).to.have.length(1)
  })

  it('on their way during a crash are sent again where the vendor makes one message of two', async () => {
    await open(createTown({ supports: { idempotentSend: true } }))
    bench.town.afterSend = () => new Promise(() => undefined)
    await answer('Once.')
    await bench.sent(1)
    let repeated = 0
    bench.town.afterSend = () => {
      repeated += 1
    }
    await bench.restart()
    await until(['sent'])
    expect(repeated).to.equal(1)
    expect(bench.town.sent).to.have.length(1)
  })

  it('on their way during a crash are unknown once the vendor has forgotten their key', async () => {
    const limits = { text: { unit: 'characters', max: 200 }, idempotentMs: 120_000 } as const
    await open(createTown({ limits, supports: { idempotentSend: true } }))
    bench.town.afterSend = () => new Promise(() => undefined)
    await answer('Once.')
    await bench.sent(1)
    bench.town.afterSend = () => undefined
    await bench.restart({ after: 119_000 })
    await until(['sent'])
    bench.town.afterSend = () => new Promise(() => undefined)
    await answer('Twice?')
    await bench.sent(2)
    bench.town.afterSend = () => undefined
    await bench.restart({ after: 121_000 })
    await until(['unknown', 'sent'])
    expect(await bench.sent(2)).to.deep.equal(['Once.', 'Twice?'])
  })

  it('are not tried again for longer than the vendor knows their key', async () => {
    const limits = { text: { unit: 'characters', max: 200 }, idempotentMs: 5_000 } as const
    await open(createTown({ limits, supports: { idempotentSend: true } }))
    bench.town.onSend = () => {
      throw channelOutcomeUnknownError.create({ channel: 'Town chat', reason: 'the line broke' })
    }
    await answer('Once.')
    await bench.until('the end', async () => {
      await bench.advance(1_000)
      return (await states())[0] === 'unknown'
    })
    const attempts = (await deliveries())[0]?.['attempts']
    expect(attempts).to.be.within(2, 4)
    await bench.advance(86_400_000)
    expect((await deliveries())[0]?.['attempts']).to.equal(attempts)
  })

  it('wait for a connection whose token was revoked, and are sent once it has another', async () => {
    await open()
    bench.town.onSend = () => {
      throw channelUnauthorizedError.create({ channel: 'Town chat', reason: 'revoked' })
    }
    await answer('Later.')
    await bench.until('the failure', async () => (await bench.state(id))['state'] === 'failed')
    expect(await states()).to.deep.equal(['queued'])
    bench.town.onSend = () => undefined
    await bench.request('PATCH /api/channels/connections/{connection_id}', {
      ...{ params: { connection_id: id }, body: { members: { place: 'here', token: 'town-secret-2' } } },
    })
    await until(['sent'])
  })

  it('that are refused again after that fail alone, and the others go on', async () => {
    await open()
    bench.town.onSend = ({ text }) => {
      if (text === 'Never.') throw channelUnauthorizedError.create({ channel: 'Town chat', reason: 'missing_permission' })
    }
    await answer('Never.')
    await bench.until('the failure', async () => (await bench.state(id))['state'] === 'failed')
    // A day for the deliveries does not pass meanwhile.
    await bench.advance(30 * 3_600_000)
    await bench.request('POST /api/channels/connections/{connection_id}/retry', { params: { connection_id: id } })
    await bench.until('the end', async () => (await states())[0] === 'failed')
    expect((await deliveries())[0]?.['failure']).to.deep.include({ code: 'channel_unauthorized' })
    expect((await bench.state(id))['state']).to.equal('connected')
    await answer('Next.')
    expect(await bench.sent(1)).to.deep.equal(['Next.'])
  })

  it('that waited for a day are given up', async () => {
    await open()
    bench.town.onSend = () => {
      throw channelUnavailableError.create({ channel: 'Town chat', reason: 'it is down' })
    }
    await answer('Late.')
    await bench.until('the failure', async () => {
      await bench.advance(3_600_000)
      return (await states())[0] === 'failed'
    })
  })

  it('of a long answer are its beginning with a share link where the channel says so', async () => {
    await open(createTown({ limits: { text: { unit: 'characters', max: 200 }, shareLinkAfter: 2 } }))
    const long = 'A sentence of an answer. '.repeat(100)
    await answer(long)
    const [text = ''] = await bench.sent(1)
    expect(text).to.match(/^A sentence.*… https:\/\/x\.test\/s\/abc$/s)
    expect(text.length).to.be.at.most(200)
    expect(bench.shared).to.deep.equal([long.trim()])
    await until(['sent'])
  })

  it('show no secret of the connection in their failure', async () => {
    await open()
    bench.town.onSend = () => {
      throw channelRejectedError.create({ channel: 'Town chat', reason: 'town-secret-1 may not do that' })
    }
    await answer('Here.')
    await until(['failed'])
    expect(JSON.stringify(await deliveries())).not.to.contain('town-secret-1')
  })

  it('tell guests no reason of a failure, and nothing of what was stopped', async () => {
    const statuses = ['failed', 'cancelled'] as const
    const wrapRuns = (inner: Runs): Runs => ({
      ...inner,
      async *watch(request, options) {
        for await (const event of inner.watch(request, options)) {
          if (event.type !== 'finished') continue
          const status = statuses[Number(request.runId.slice(4)) - 1] ?? 'completed'
          yield { ...event, run: { ...event.run, status, failure: { code: 'x', message: 'The key of acme is wrong.' } } }
        }
      },
    })
    bench = await openBench({ wrapRuns })
    id = await bench.connect({ access: 'open' })
    for (const text of ['Partly', 'Stopped', 'Whole']) await answer(text)
    const texts = await bench.sent(2)
    expect(texts).to.deep.equal(['Partly\n\nThe agent could not go on: it failed.', 'Whole'])
  })

  it('tell the owner, and only the owner, which model answered in place of which', async () => {
    const fallback = { reason: 'model_failed', wanted: 'work/large', used: 'spare/small', detail: 'Too *many* requests.' } as const
    const wrapRuns = (runs: Runs): Runs => ({
      ...runs,
      async *watch(...given) {
        for await (const event of runs.watch(...given)) yield event.type === 'finished' ? { ...event, fallback } : event
      },
    })
    bench = await openBench({ wrapRuns })
    id = await bench.connect({ access: 'open' })
    await answer('To a guest.')
    await bench.sent(1)
    await bench.request('POST /api/channels/connections/{connection_id}/senders', {
      ...{ params: { connection_id: id }, body: { sender_id: 'grace', role: 'owner' } },
    })
    await answer('To the owner.')
    expect(await bench.sent(2)).to.deep.equal([
      'To a guest.',
      'To the owner.\n\n(spare/small answered in place of work/large: Too *many* requests.)',
    ])
  })

  it('of a test go where the owner wrote last', async () => {
    await open()
    await bench.request('POST /api/channels/connections/{connection_id}/senders', {
      ...{ params: { connection_id: id }, body: { sender_id: 'grace', role: 'owner' } },
    })
    await answer('Hello.')
    await bench.sent(1)
    const { connection, delivery } = (await bench.request('POST /api/channels/connections/{connection_id}/test', {
      params: { connection_id: id },
    })) as Record<string, Record<string, unknown>>
    expect(connection?.['state']).to.equal('connected')
    expect(delivery).to.deep.include({ kind: 'test', conversation_id: 'with-grace' })
    await bench.sent(2)
  })
})
