import { createMemoryDatabase, describeUserData } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createPrincipalRecords, createSandboxUserData, principalCollection } from './principal-records.js'

const ended: string[] = []

function create() {
  const records = createPrincipalRecords(createMemoryDatabase([principalCollection]))
  const end = async ({ id }: { readonly id: string }): Promise<void> => {
    ended.push(id)
    await records.remove(id)
  }
  return { records, data: createSandboxUserData(records, end, () => undefined) }
}
const principal = (userId: string, id: string) => ({ userId, id, kind: 'agent', userHandle: 'ada', workspace: 'assistant' }) as const

describeUserData({
  name: 'of the sandbox',
  create() {
    const { records, data } = create()
    return {
      data,
      async fill(userId) {
        for (const id of ['agent-1', 'agent-2']) await records.note(principal(userId, id))
      },
    }
  },
})

describe('the principals that have run code', () => {
  it('are stored once, and end and are forgotten with their user alone', async () => {
    const { records, data } = create()
    for (const [user, id] of [
      ['ada', 'a'],
      ['ada', 'a'],
      ['ada', 'b'],
      ['bob', 'a'],
    ] as const)
      await records.note(principal(user, id))
    ended.length = 0
    await data.erase('ada', { signal: new AbortController().signal })
    expect(ended).to.have.length(2)
    const left = []
    for await (const record of records.list()) left.push([record.user_id, record.principal_id])
    expect(left).to.deep.equal([['bob', 'a']])
    // Once more, as after an erasure that was undone by a backup.
    await records.note(principal('ada', 'a'))
    expect((await data.size('ada', { signal: new AbortController().signal })).records).to.equal(1)
  })
})
