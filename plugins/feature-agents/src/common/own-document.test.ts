import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { ownDocument, ownUndeleted } from './own-document.js'

const mine = { id: 'a', user_id: 'ada', deleting: false }

const refusalOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (notFoundError.isInstance(error)) return error.message
    throw error
  }
  return 'no refusal'
}

describe('ownDocument', () => {
  it('returns the user’s own document, even while it is being deleted', () => {
    const deleting = { ...mine, deleting: true }
    expect([ownDocument('chat', mine, 'ada'), ownDocument('chat', deleting, 'ada')]).to.deep.equal([mine, deleting])
  })

  it('does not reveal whether another user’s document exists', () => {
    const absent = refusalOf(() => ownDocument('chat', undefined, 'eve'))
    expect(absent).to.include('chat')
    expect(refusalOf(() => ownDocument('chat', mine, 'eve'))).to.equal(absent)
  })
})

describe('ownUndeleted', () => {
  it('treats a document whose deletion has begun as missing', () => {
    expect(ownUndeleted('space', mine, 'ada')).to.equal(mine)
    const absent = refusalOf(() => ownUndeleted('space', undefined, 'ada'))
    expect(refusalOf(() => ownUndeleted('space', { ...mine, deleting: true }, 'ada'))).to.equal(absent)
    expect(refusalOf(() => ownUndeleted('space', mine, 'eve'))).to.equal(absent)
  })
})
