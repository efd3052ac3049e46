import { expect } from 'chai'
import { createKeyedLock } from './keyed-lock.js'

describe('createKeyedLock', () => {
  const busy = new Error('busy')
  const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

  it('refuses more work for a key in use, without beginning it', async () => {
    const oneAtATime = createKeyedLock(() => busy)
    let end = (_: string): void => undefined
    let begun = 0
    const first = oneAtATime('a', () => new Promise<string>((resolve) => (end = resolve)))
    const second = oneAtATime('a', async () => ++begun)
    expect([await outcome(second), begun]).to.deep.equal([busy, 0])
    expect(await oneAtATime('b', async () => 'of another key')).to.equal('of another key')
    end('done')
    expect(await first).to.equal('done')
  })

  it('lets the next work begin after one has ended or failed', async () => {
    const oneAtATime = createKeyedLock(() => busy)
    const broken = new Error('broken')
    expect(await outcome(oneAtATime('a', () => Promise.reject(broken)))).to.equal(broken)
    const thrown = oneAtATime('a', () => {
      throw broken
    })
    expect(await outcome(thrown)).to.equal(broken)
    expect([await oneAtATime('a', async () => 1), await oneAtATime('a', async () => 2)]).to.deep.equal([1, 2])
  })
})
