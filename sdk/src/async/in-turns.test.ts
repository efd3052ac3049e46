import { expect } from 'chai'
import { createInTurns } from './in-turns.js'

describe('work in turns', () => {
  it('begins a piece of work when the one before it with the same key has ended, also by a throw', async () => {
    const { run } = createInTurns()
    const seen: string[] = []
    let fail = (): void => undefined
    const first = run('ada', () => new Promise<void>((_, reject) => (fail = () => reject(new Error('first')))))
    const second = run('ada', async () => seen.push('second'))
    const other = run('ben', async () => seen.push('other'))
    await other
    expect(seen).to.deep.equal(['other'])
    fail()
    expect(await first.catch((error: Error) => error.message)).to.equal('first')
    await second
    expect(seen).to.deep.equal(['other', 'second'])
  })

  it('returns what the work returns', async () => {
    const { run } = createInTurns()
    expect(await Promise.all([1, 2, 3].map((number) => run('ada', async () => number * 2)))).to.deep.equal([2, 4, 6])
  })
})
