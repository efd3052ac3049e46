import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { joinSignals } from './join-signals.js'

describe('two signals joined', () => {
  it('abort with the first of them and its reason', () => {
    for (const which of [0, 1] as const) {
      const controllers = [new AbortController(), new AbortController()] as const
      const { signal } = joinSignals(controllers[0].signal, controllers[1].signal)
      expect(signal.aborted).to.equal(false)
      controllers[which].abort(`reason ${which}`)
      controllers[1 - which]?.abort('later')
      expect(signal.reason).to.equal(`reason ${which}`)
    }
  })

  it('are aborted from the start if one is', () => {
    const plain = new AbortController().signal
    expect(joinSignals(AbortSignal.abort('early'), plain).signal.reason).to.equal('early')
    expect(joinSignals(plain, AbortSignal.abort('early')).signal.reason).to.equal('early')
  })

  it('leave no listener on either once released', () => {
    const signals = [new AbortController().signal, new AbortController().signal] as const
    const joined = joinSignals(...signals)
    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).to.deep.equal([1, 1])
    joined.release()
    joined.release()
    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).to.deep.equal([0, 0])
  })
})
