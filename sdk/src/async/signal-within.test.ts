import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { signalWithin } from './signal-within.js'

describe('signalWithin', () => {
  it('ends when its time is over, also where garbage was collected meanwhile', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const other = new AbortController()
    const signal = signalWithin(200, other.signal, undefined)
    const ended = Promise.race([once(signal, 'abort').then(() => 'ended'), delay(5_000, 'went on', { ref: false })])
    await delay(20)
    for (let round = 0; round < 5; round += 1) collect()
    expect(await ended).to.equal('ended')
    expect((signal.reason as Error).name).to.equal('TimeoutError')
  })

  it('ends with the first of the others, with its reason', () => {
    const [one, two] = [new AbortController(), new AbortController()]
    const signal = signalWithin(60_000, one.signal, two.signal)
    const reason = new Error('enough')
    two.abort(reason)
    one.abort(new Error('too late'))
    expect(signal.reason).to.equal(reason)
  })

  it('has ended where one of the others has', () => {
    const reason = new Error('before')
    expect(signalWithin(60_000, new AbortController().signal, AbortSignal.abort(reason)).reason).to.equal(reason)
  })
})
