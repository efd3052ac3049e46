import { strict as assert } from 'node:assert'
import { setTimeout } from 'node:timers/promises'
import { endsWithin } from '../within-limit.js'
import type { ChannelFault } from './channel-bench.js'
import type { ChannelSuite } from './channel-suite.js'
import { opened } from './sending.js'
import { assertLost, openAndRun } from './sessions.js'
import { failsWith, reasonOf, rejectsWith, type SessionEnd, type SuiteBench } from './suite-bench.js'

interface Expected {
  /** Codes of `connect`, or of the `run` after it. Absent: it works. */
  readonly connect?: readonly string[]
  /** Codes of `send` in an open session. */
  readonly send: readonly string[]
  /** Whether the message may be there after all. */
  readonly mayArrive?: boolean
}

const unavailable = 'channel_unavailable'
const unknown = 'channel_outcome_unknown'

const expectations: Readonly<Record<ChannelFault, Expected>> = {
  down: { connect: [unavailable], send: [unavailable] },
  failing: { connect: [unavailable], send: [unavailable, unknown] },
  silent: { connect: [unavailable], send: [unknown], mayArrive: true },
  garbled: { connect: [unavailable], send: [unknown], mayArrive: true },
  throttled: { connect: ['channel_throttled'], send: ['channel_throttled'] },
  revoked: { connect: ['channel_unauthorized'], send: ['channel_unauthorized'] },
  rejecting: { send: ['channel_rejected'] },
  losing: { send: [unknown], mayArrive: true },
  // What a channel makes of a redirect, or of what the other server answers, is its own affair.
  redirecting: {
    connect: [unavailable, 'channel_unauthorized', 'channel_connection_invalid', 'channel_rejected'],
    send: [unavailable, unknown, 'channel_unauthorized', 'channel_connection_invalid', 'channel_rejected'],
  },
}

/** What is about one message, or one moment, and not about the connection. */
const staysOpen: readonly ChannelFault[] = ['rejecting', 'throttled']

/** How a channel fails, and works again. */
export function describeFaults(suite: ChannelSuite): void {
  const { it, options } = suite
  const { limitMs, faults } = options
  for (const fault of faults) {
    const { connect, send, mayArrive = false } = expectations[fault]
    if (connect)
      it(`cannot be opened while the vendor is ${fault}, and can be afterwards`, async (bench) => {
        await bench.break(fault)
        const details = await failsWith(openAndRun(bench), connect, { what: 'the connection', limitMs })
        if (fault === 'throttled') assertWait(details)
        await bench.mend()
        await opened(bench)
      })

    it(`fails to send${fault === 'redirecting' ? '' : ` with ${send.join(' or ')}`} while the vendor is ${fault}, and works again afterwards`, async (bench) => {
      const { session, conversationId, ended } = await opened(bench)
      await bench.break(fault)
      // What is sent on a connection that is about to break may arrive; afterwards it certainly does not.
      if (fault === 'down' && session.run !== undefined) await assertLost(ended, limitMs, 'the session')
      const work = session.send(bench.delivery(conversationId, 'a message in trouble'), { signal: bench.signal })
      const details = await failsWith(work, send, { what: 'send', limitMs })
      if (fault === 'throttled') assertWait(details)
      const sent = bench.sentWith('a message in trouble').length
      assert.ok(sent === 0 || (mayArrive && sent === 1), `the message was sent ${sent} times`)
      await bench.mend()
      const hasEnded = await Promise.race([ended.then(() => true), setTimeout(20, false)])
      assert.ok(!hasEnded || !staysOpen.includes(fault), 'the session has ended, although this message alone was refused')
      const again = hasEnded ? (await bench.open()).session : session
      await again.send(bench.delivery(conversationId, 'afterwards'), { signal: bench.signal }).catch(async (error: unknown) => {
        // The session may notice only now that its connection has broken.
        if (session.run === undefined || hasEnded) throw error
        await assertLost(ended, limitMs, 'the session')
        await (await bench.open()).session.send(bench.delivery(conversationId, 'afterwards'), { signal: bench.signal })
      })
      assert.equal(bench.sentWith('afterwards').length, 1)
    })
  }
  describeOtherCalls(suite)
  describeEnds(suite)
}

/** Faults in which a vendor answers that it does not do what it was asked for. */
const refusals: readonly ChannelFault[] = ['failing', 'throttled', 'revoked']

function describeOtherCalls({ it, options }: ChannelSuite): void {
  const { limitMs, faults, supports } = options
  for (const fault of refusals.filter((each) => faults.includes(each))) {
    const codes = expectations[fault].send
    if (supports.edits)
      it(`says whether it has changed a message while the vendor is ${fault}`, async (bench) => {
        const { session, send, conversationId, ended } = await opened(bench)
        const { receipt } = await send({ text: 'May I?' })
        await bench.break(fault)
        const edit = { id: receipt.id ?? '', conversationId, text: 'It was approved.' }
        // A vendor may go on with edits; what it does not do must be a failure.
        const work = session.edit?.(edit, { signal: bench.signal }) ?? Promise.resolve()
        const hasChanged = await passesOrFails(work, codes, { what: 'edit', limitMs })
        assert.deepEqual(
          bench.sent().map(({ text }) => text),
          [hasChanged ? edit.text : 'May I?'],
          hasChanged ? 'it said that it had changed the message' : 'it said that it had not changed the message',
        )
        if (fault === 'revoked' && session.run !== undefined) await assertClosed(bench, ended, limitMs)
      })
    if (supports.attachmentsIn)
      it(`takes no refusal for the content of a file while the vendor is ${fault}`, async (bench) => {
        const { session, ended } = await bench.open()
        const file = { name: 'plan.png', mediaType: 'image/png', bytes: Uint8Array.from({ length: 20_000 }, (_, at) => at % 256) }
        const { actual } = await bench.exchange({ place: 'direct', text: 'with a file', attachments: [file] })
        const [attachment] = actual.attachments ?? []
        if (attachment === undefined || attachment.bytes !== undefined) return
        await bench.break(fault)
        const pieces: Uint8Array[] = []
        const reading = (async () => {
          for await (const piece of session.download?.(attachment, { signal: bench.signal }) ?? []) pieces.push(Uint8Array.from(piece))
        })()
        // Files may be at another server, which works.
        if (await passesOrFails(reading, [...codes, unavailable], { what: 'the download', limitMs }))
          assert.ok(Buffer.concat(pieces).equals(file.bytes), 'the content is another one')
        if (fault === 'revoked' && session.run !== undefined) await assertClosed(bench, ended, limitMs)
      })
  }
}

/** Whether work succeeds; if it fails, then with one of these codes. */
async function passesOrFails(work: Promise<unknown>, codes: readonly string[], options: Parameters<typeof failsWith>[2]): Promise<boolean> {
  await endsWithin(work, options.limitMs, `${options.what} has no end`)
  if ((await reasonOf(work)) === undefined) return true
  await failsWith(work, codes, options)
  return false
}

async function assertClosed({ until, connections }: SuiteBench, ended: Promise<SessionEnd>, limitMs: number): Promise<void> {
  await endsWithin(ended, limitMs, 'the session goes on')
  await until(() => connections() === 0, 'a connection of a session that has ended was not closed')
}

function describeEnds({ it, options }: ChannelSuite): void {
  const { limitMs, abortLimitMs, faults, supports } = options

  it('ends its session when the vendor goes down', async (bench) => {
    const { session, ended } = await opened(bench)
    if (session.run === undefined) return
    await bench.break('down')
    await assertLost(ended, limitMs, 'the session')
  })

  if (faults.includes('revoked'))
    it('ends its session for good when the credentials are revoked', async (bench) => {
      const { session, ended } = await opened(bench)
      if (session.run === undefined) return
      await bench.break('revoked')
      const work = ended.then(({ error }) => Promise.reject(error))
      await failsWith(work, 'channel_unauthorized', { what: 'the session', limitMs })
    })

  if (faults.includes('silent'))
    it('stops sending at once when it is aborted, with the reason', async (bench) => {
      const { session, conversationId } = await opened(bench)
      await bench.break('silent')
      const controller = new AbortController()
      const reason = new Error('stopped by the suite')
      const work = session.send(bench.delivery(conversationId, 'aborted'), { signal: controller.signal })
      const outcome = rejectsWith(work, reason, { what: 'an aborted send', limitMs: abortLimitMs })
      await setTimeout(5)
      controller.abort(reason)
      await outcome
    })

  if (faults.includes('losing'))
    it('tries once where the outcome is not known', async (bench) => {
      const { session, conversationId } = await opened(bench)
      await bench.break('losing')
      const delivery = bench.delivery(conversationId, 'on its way')
      await failsWith(session.send(delivery, { signal: bench.signal }), unknown, { what: 'send', limitMs })
      await bench.mend()
      assert.equal(bench.sentWith('on its way').length, 1, 'the vendor took it and must have it once')
      if (!supports.idempotentSend) return
      const again = await bench.open()
      await again.session.send(delivery, { signal: bench.signal })
      assert.equal(bench.sentWith('on its way').length, 1, 'it was sent a second time')
    })
}

function assertWait({ retryAfterMs }: Readonly<Record<string, unknown>>): void {
  assert.ok(
    typeof retryAfterMs === 'number' && retryAfterMs >= 1_000,
    `retryAfterMs is ${String(retryAfterMs)} although the vendor asks to wait for some seconds; expected milliseconds`,
  )
}
