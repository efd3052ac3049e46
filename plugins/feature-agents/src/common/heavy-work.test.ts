import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createHeavyWork, inTurn } from './heavy-work.js'

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
      ['chat-titles', 2, 8, 100],
    ])
  })

  it('releases its share however it ends', async () => {
    const { searches } = createHeavyWork(createFakeQuotas())
    expect(await inTurn(searches, 'ada', signal, async () => searches.used('user:ada'))).to.equal(1)
    await inTurn(searches, 'ada', signal, () => Promise.reject(new Error('no'))).catch(() => undefined)
    expect(searches.used('user:ada')).to.equal(0)
  })
})
