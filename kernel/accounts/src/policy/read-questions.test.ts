import type { PolicyEntity } from '@agent-service/sdk/services/policy'
import { expect } from 'chai'
import { readQuestions } from './read-questions.js'

const owner: PolicyEntity = { type: 'User', id: 'ada' }
const asked = { principal: { type: 'Agent', id: 'assistant', attributes: {}, parents: [owner] }, action: 'use_tool' }
const tool = (id: string, parents?: readonly PolicyEntity[]): PolicyEntity => ({
  type: 'Tool',
  id,
  attributes: {},
  ...(parents && { parents }),
})

/** Knows every user, and records the look-ups. */
const everybody = () => {
  const looked: string[] = []
  const user = async (id: string) => {
    looked.push(id)
    return { role: 'user' }
  }
  return { looked, known: { user, route: () => undefined } }
}

describe('the same question about several resources', () => {
  it('looks up the principal once, and adds it to every question', async () => {
    const { looked, known } = everybody()
    const read = await readQuestions(asked, [tool('one'), tool('two'), tool('three')], known)
    expect(looked).to.deep.equal(['ada'])
    expect(read.map((question) => 'request' in question && question.request.entities.map(({ id }) => id))).to.deep.equal([
      ['assistant', 'ada', 'one'],
      ['assistant', 'ada', 'two'],
      ['assistant', 'ada', 'three'],
    ])
  })

  it('looks up no user for a refused resource, and answers for the others', async () => {
    const { looked, known } = everybody()
    const crowd = Array.from({ length: 100 }, (_, index): PolicyEntity => ({ type: 'User', id: `user ${index}` }))
    const read = await readQuestions(asked, [tool('crowded', crowd), tool('long', [tool('x'.repeat(70_000))]), tool('plain')], known)
    expect(looked).to.deep.equal(['ada'])
    expect(read.map((question) => ('reason' in question ? question.reason : 'asked'))).to.deep.equal([
      'it has more than 64 entities',
      'it is too large, too deep or not plain data',
      'asked',
    ])
  })

  it('takes 64 entities, and refuses one more', async () => {
    const { known } = everybody()
    const crowdOf = (count: number) => Array.from({ length: count }, (_, index): PolicyEntity => ({ type: 'User', id: `user ${index}` }))
    // The agent, its owner and the tool are three.
    const read = await readQuestions(asked, [tool('full', crowdOf(61)), tool('crowded', crowdOf(62))], known)
    expect(read.map((question) => ('reason' in question ? question.reason : question.request.entities.length))).to.deep.equal([
      64,
      'it has more than 64 entities',
    ])
  })

  it('asks about a file by the composed form of its path, whatever form the disk has', async () => {
    const { known } = everybody()
    const path = 'files/Gro\u0308\u00dfe.md'
    const [read] = await readQuestions(asked, [{ type: 'File', id: path, attributes: { path, owner: 'ada' } }], known)
    if (!read || !('request' in read)) throw new Error('It is not asked.')
    const composed = 'files/Gr\u00f6\u00dfe.md'
    expect(read.request.resource).to.deep.equal({ type: 'File', id: composed })
    expect(read.request.entities.at(-1)).to.deep.equal({
      type: 'File',
      id: composed,
      attributes: { path: composed, owner: 'ada' },
      parents: [],
    })
  })
})
