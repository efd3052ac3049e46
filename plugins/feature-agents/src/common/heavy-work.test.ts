import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createHeavyWork, holdingWhileRead, inTurn } from './heavy-work.js'

const { signal } = new AbortController()

describe('heavy work', () => {
  it('has a share for each user and waits for room', () => {
    const quotas = createFakeQuotas()
    createHeavyWork(quotas)
    const limits = [...quotas.declared.values()].map(({ name, maxPerHolder, maxTotal, waiting }) => [
      name,
      maxPerHolder,
      maxTotal,
      waiting?.maxPerHolder,
    ])
    expect(limits).to.deep.equal([
      ['chat-searches', 2, 32, 8],
      ['chat-exports', 2, 64, 4],
      ['chat-imports', 1, 8, 1],
    ])
  })

  it('gives its place back however it ends', async () => {
    const { searches } = createHeavyWork(createFakeQuotas())
    expect(await inTurn(searches, 'ada', signal, async () => searches.used('user:ada'))).to.equal(1)
    await inTurn(searches, 'ada', signal, () => Promise.reject(new Error('no'))).catch(() => undefined)
    expect(searches.used('user:ada')).to.equal(0)
  })

  it('is under way for as long as its stream is read', async () => {
    const { exports } = createHeavyWork(createFakeQuotas())
    const used = (): number => exports.used('user:ada')
    const begin = (fails = false): AsyncIterator<number> => {
      const stream = (async function* () {
        yield 1
        if (fails) throw new Error('no')
      })()
      return holdingWhileRead(stream, exports.take('user:ada'))[Symbol.asyncIterator]()
    }
    const whole = begin()
    await whole.next()
    expect(used()).to.equal(1)
    await whole.next()
    expect(used(), 'read to its end').to.equal(0)

    const failing = begin(true)
    await failing.next()
    await failing.next().catch(() => undefined)
    expect(used(), 'failed').to.equal(0)

    await begin().return?.()
    expect(used(), 'never begun').to.equal(0)
  })
})
