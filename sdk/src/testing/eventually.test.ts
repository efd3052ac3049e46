import { expect } from 'chai'
import { eventually } from './eventually.js'

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('expected an error'),
    (error: Error) => error,
  )

describe('eventually', () => {
  it('resolves with the first thing that comes, after nothing, refusals and errors', async () => {
    const looks: (number | undefined | null | false | Error)[] = [undefined, null, false, new Error('not yet'), 0, 1]
    const look = async () => {
      const next = looks.shift()
      if (next instanceof Error) throw next
      return next
    }
    const found: number = await eventually(look)
    expect(found).to.equal(0)
    expect(looks).to.deep.equal([1])
  })

  it('looks at least once, says what did not happen, and what the last look failed with', async () => {
    let looks = 0
    const look = (): void => {
      looks += 1
    }
    const missing = await failureOf(eventually(look, { within: 0, what: 'the start of the task' }))
    expect(looks).to.equal(1)
    expect(missing.message).to.equal('the start of the task did not happen within 0 ms')
    const thrown = new Error('5 is not 6')
    const failed = await failureOf(eventually(() => Promise.reject(thrown), { within: 0 }))
    expect(failed.message).to.equal('It did not happen within 0 ms; the last look failed with: 5 is not 6')
    expect(failed.cause).to.equal(thrown)
  })

  it('says how things stand when the time is over', async () => {
    const { message } = await failureOf(eventually(() => false, { within: 0, what: async () => ({ state: 'waiting' }) }))
    expect(message).to.equal("It did not happen within 0 ms; how things stand: { state: 'waiting' }")
    const silent = await failureOf(eventually(() => false, { within: 0, what: () => Promise.reject(new Error('gone')) }))
    expect(silent.message).to.contain('how things stand: unknown (Error: gone)')
  })
})
