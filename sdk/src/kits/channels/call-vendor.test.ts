import { createServer } from 'node:net'
import { expect } from 'chai'
import { channelOutcomeUnknownError, channelRejectedError, channelUnavailableError } from '../../contracts/channel/errors.js'
import { callVendor, type VendorCall } from './call-vendor.js'

const channel = 'Town'
const never = (): AbortSignal => new AbortController().signal
const failureOf = (work: (signal: AbortSignal) => Promise<unknown>, call: Partial<VendorCall> = {}): Promise<unknown> =>
  callVendor(work, { channel, signal: never(), ...call }).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a call of a vendor', () => {
  it('gives its result', async () => {
    expect(await callVendor(async () => 7, { channel, signal: never() })).to.equal(7)
  })

  it('is not begun once it is aborted, and fails with the reason of its abort', async () => {
    const reason = new Error('stopped')
    let calls = 0
    const work = async (): Promise<void> => {
      calls += 1
    }
    expect(await failureOf(work, { signal: AbortSignal.abort(reason) })).to.equal(reason)
    expect(calls).to.equal(0)
    const controller = new AbortController()
    const failed = failureOf(() => new Promise(() => undefined), { signal: controller.signal, sending: true })
    controller.abort(reason)
    expect(await failed).to.equal(reason)
  })

  it('keeps errors of the contract', async () => {
    for (const error of [channelRejectedError, channelOutcomeUnknownError].map((each) => each.create({ channel, reason: 'of a reason' })))
      expect(await failureOf(() => Promise.reject(error), { sending: true })).to.equal(error)
  })

  it('ends within its limit, also when the work ignores its signal', async () => {
    const failed = await failureOf(() => new Promise(() => undefined), { limitMs: 20 })
    expect(channelUnavailableError.isInstance(failed)).to.equal(true)
    expect(String(failed)).to.contain('longer than 20 ms')
    expect(
      channelOutcomeUnknownError.isInstance(await failureOf(() => new Promise(() => undefined), { limitMs: 20, sending: true })),
    ).to.equal(true)
  })

  it('knows whether a message may have been sent', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.destroy()))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { readonly port: number }
    const ask = (signal: AbortSignal): Promise<unknown> => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'x', signal })
    expect(channelOutcomeUnknownError.isInstance(await failureOf(ask, { sending: true }))).to.equal(true)
    expect(channelUnavailableError.isInstance(await failureOf(ask))).to.equal(true)
    await new Promise((resolve) => server.close(resolve))
    const refused = await failureOf(ask, { sending: true })
    expect(channelUnavailableError.isInstance(refused)).to.equal(true)
    expect(String(refused)).to.contain('ECONNREFUSED')
  })

  it('is a failure of unknown outcome when the channel itself is wrong', async () => {
    expect(channelOutcomeUnknownError.isInstance(await failureOf(() => Promise.reject(new TypeError('x')), { sending: true }))).to.equal(
      true,
    )
    expect(channelOutcomeUnknownError.isInstance(await failureOf(() => Promise.reject(undefined), { sending: true }))).to.equal(true)
  })
})
