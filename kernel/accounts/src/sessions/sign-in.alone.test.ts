import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { expect } from 'chai'
import { codeOf, openAuthUnderTest } from '../testing/auth-under-test.js'

describe('the time that a refused sign-in takes', () => {
  afterEach(endTestStores)

  it('6.3.8 is about the same for an unknown name and for a wrong password', async () => {
    const cost = { memoryCost: 8_192, timeCost: 4, parallelism: 1 }
    const auth = await openAuthUnderTest({ passwordCost: cost })
    // Five attempts at a name are not slowed, so three accounts make fifteen.
    for (const name of ['ada', 'bob', 'cyd']) await auth.register(name)
    const timeOf = async (username: string): Promise<number> => {
      const start = process.hrtime.bigint()
      await codeOf(auth.call('login', { body: { username, password: 'a wrong password' } }))
      return Number(process.hrtime.bigint() - start)
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 15; round += 1) {
      known.push(await timeOf(['ada', 'bob', 'cyd'][round % 3] ?? ''))
      unknown.push(await timeOf(['nobody', 'noone', 'ghost'][round % 3] ?? ''))
    }
    const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[7] ?? Number.NaN
    expect(median(unknown) / median(known)).to.be.within(0.6, 1.6)
  })
})
