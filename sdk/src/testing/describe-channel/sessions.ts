import { strict as assert } from 'node:assert'
import { checkChannelSession } from '../../contracts/channel/check-session.js'
import { assertSound } from '../assert-sound.js'
import { endsWithin } from '../within-limit.js'
import type { ChannelSuite } from './channel-suite.js'
import { failsWith, reasonOf, rejectsWith, type SessionEnd, type SuiteBench } from './suite-bench.js'
import { createSuiteHost } from './suite-host.js'

/** How sessions begin and end. */
export function describeSessions({ it, options }: ChannelSuite): void {
  const { limitMs, abortLimitMs, supports } = options

  it('names its account, and has the functions that it supports', async ({ open }) => {
    const { session } = await open()
    assertSound(checkChannelSession(session, supports))
  })

  it('refuses wrong credentials at once', async (bench) => {
    const wrong = Object.entries(bench.wrong)
    assert.ok(wrong.length > 0, 'the bench must have wrong credentials')
    for (const [what, connection] of wrong)
      await failsWith(openAndRun(bench, { connection }), 'channel_unauthorized', { what: `a connection with ${what}`, limitMs })
    await bench.until(() => bench.connections() === 0, 'a connection with wrong credentials was not closed')
  })

  it('says which member of a connection is useless', async (bench) => {
    for (const [what, connection] of Object.entries(bench.invalid ?? {})) {
      const { member } = await failsWith(bench.open({ connection }), 'channel_connection_invalid', {
        what: `a connection with ${what}`,
        limitMs,
      })
      assert.ok(Object.hasOwn(bench.channel.connection.properties, String(member)), `“${member}” is no member of the connection`)
    }
  })

  it('reaches no address that is not public for a connection of a user', async (bench) => {
    if (bench.inward === undefined) return
    const { connection, connections } = bench.inward
    assert.equal(connection.origin, 'user', 'the connection must be one of a user')
    await failsWith(bench.open({ connection }), ['channel_connection_invalid', 'channel_unavailable'], { what: 'the connection', limitMs })
    assert.equal(connections(), 0, 'the vendor has seen a connection')
  })

  it('opens nothing for a connection that was aborted before', async ({ channel, connection, store, connections }) => {
    const reason = new Error('stopped by the suite')
    const error = await reasonOf((async () => channel.connect(connection, store.host, { signal: AbortSignal.abort(reason) }))())
    assert.equal(error, reason, 'it did not reject with the reason of the abort')
    assert.equal(connections(), 0, 'it has a connection open')
  })

  it('ends with the reason of its abort, and closes what it had opened', async ({ open, exchange, until, connections }) => {
    const opened = await open()
    await exchange({ place: 'direct', text: 'before the end' })
    const { error } = await opened.close()
    assert.equal((error as Error | undefined)?.message, 'closed by the suite', 'it did not end with the reason of the abort')
    await until(() => connections() === 0, 'a connection was not closed')
  })

  it('opens again and again', async ({ open, exchange, delivery, sentWith, signal, until, connections }) => {
    for (const turn of ['first', 'second', 'third']) {
      const { session, close } = await open()
      const { actual } = await exchange({ place: 'direct', text: `the ${turn} session` })
      await session.send(delivery(actual.conversation.id, `answer of the ${turn} session`), { signal })
      assert.equal(sentWith(`answer of the ${turn} session`).length, 1)
      await close()
      await until(() => connections() === 0, `a connection of the ${turn} session was not closed`)
    }
  })

  it('ends when its connection breaks, and works when it is opened again', async (bench) => {
    const { ended, session } = await bench.open()
    await bench.exchange({ place: 'direct', text: 'before the break' })
    await bench.drop()
    if (session.run !== undefined) await assertLost(ended, limitMs, 'a session whose connection broke')
    if (session.run !== undefined) await bench.open()
    await bench.exchange({ place: 'direct', text: 'after the break' })
  })

  it('sends nothing in a session that has ended', async (bench) => {
    const { session, ended } = await bench.open()
    if (session.run === undefined) return
    const { actual } = await bench.exchange({ place: 'direct', text: 'before the break' })
    await bench.drop()
    await assertLost(ended, limitMs, 'a session whose connection broke')
    const delivery = bench.delivery(actual.conversation.id, 'after the end')
    await failsWith(session.send(delivery, { signal: bench.signal }), 'channel_unavailable', { what: 'send', limitMs })
    assert.equal(bench.sentWith('after the end').length, 0)
  })

  it('keeps two connections apart', async ({ open, exchange, delivery, sentWith, signal, store }, createOther) => {
    const { session } = await open()
    const { actual } = await exchange({ place: 'direct', text: 'to the first' })
    await createOther(async (other) => {
      const opened = await other.open()
      const { actual: second } = await other.exchange({ place: 'direct', text: 'to the second' })
      await session.send(delivery(actual.conversation.id, 'from the first'), { signal })
      await opened.session.send(other.delivery(second.conversation.id, 'from the second'), { signal })
      assert.equal(sentWith('from the first').length, 1, 'the message of the first session is not at its vendor')
      assert.equal(other.sentWith('from the second').length, 1, 'the message of the second session is not at its vendor')
      await exchange({ place: 'direct', text: 'again to the first' })
      const texts = store.received.map(({ text }) => text)
      assert.ok(!texts.includes('to the second'), 'the first connection received a message of the second')
    })
  })

  it('leaves its input as it is', async ({ channel, connection, store, until, connections }) => {
    const members = deepFrozen(structuredClone(connection.members))
    const controller = new AbortController()
    const session = await channel.connect(Object.freeze({ ...connection, members }), store.host, { signal: controller.signal })
    const running = reasonOf(session.run?.({ signal: controller.signal }) ?? Promise.resolve())
    controller.abort(new Error('stopped by the suite'))
    await running
    await until(() => connections() === 0, 'a connection was not closed')
  })

  if (options.faults.includes('silent'))
    it('gives up connecting at once when it is aborted', async (bench) => {
      await bench.break('silent')
      const controller = new AbortController()
      const reason = new Error('stopped by the suite')
      const work = bench.channel.connect(bench.connection, createSuiteHost(supports).host, { signal: controller.signal })
      setImmediate(() => controller.abort(reason))
      await rejectsWith(work, reason, { what: 'an aborted connect', limitMs: abortLimitMs })
    })
}

/** Opens a session and waits for the end of its `run`: some vendors refuse no earlier. */
export async function openAndRun(bench: SuiteBench, options: Parameters<SuiteBench['open']>[0] = {}): Promise<void> {
  const { ended } = await bench.open(options)
  const end = await ended
  if ('error' in end) throw end.error
}

/** A lost connection: `run` rejects with `channel_unavailable`, or resolves to be opened again. */
export async function assertLost(ended: Promise<SessionEnd>, limitMs: number, what: string): Promise<void> {
  await endsWithin(ended, limitMs, `${what} goes on`)
  const { error } = await ended
  const code = (error as { readonly code?: unknown } | undefined)?.code
  assert.ok(error === undefined || code === 'channel_unavailable', `${what} ended with ${String(code ?? error)}`)
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen)
  return value
}
