import { expect } from 'chai'
import { measure, searchOfLines } from '../bench/memory-bench.js'
import { makeSessions } from '../bench/memory-sessions.js'

describe('finding memories among 2,000 by words', () => {
  it('has all the evidence of a question among the first five for 92 of 100, in less than 2 ms of the processor', async () => {
    const { sessions, questions } = makeSessions(200, 7)
    const asked = questions.filter(({ kind }) => kind === 'words')
    const find = await searchOfLines(sessions)
    const { recall } = await measure(find, asked)
    expect(recall).to.be.at.least(0.92)
    const before = process.cpuUsage()
    for (const { text } of asked) await find(text)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000 / asked.length).to.be.below(2)
  })
})
