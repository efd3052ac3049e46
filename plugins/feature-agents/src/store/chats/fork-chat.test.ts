import { expect } from 'chai'
import { createMemoryDatabase } from '../../test-support/memory-database.js'
import { branchCollection } from './branch.js'
import { newChat } from './chat.js'
import { forkChat, maxBranches } from './fork-chat.js'

describe('forking a chat', () => {
  const chatOf = (branches: number) =>
    newChat({ id: 'chat', user_id: 'u', agent_id: 'a', title: 'T', message_count: 4, branch_count: branches }, 'then')

  const fork = (branches: number, sequence: number) => {
    const { database, documents } = createMemoryDatabase()
    const result = database
      .transaction((transaction) => forkChat(transaction, chatOf(branches), sequence, 'now'))
      .catch((error: unknown) => error)
    return { result, branches: documents(branchCollection) }
  }

  it('goes on up to the most branches that a chat may have, and refuses one more', async () => {
    const last = fork(maxBranches - 1, 2)
    expect(await last.result).to.include({ branch_count: maxBranches, message_count: 2 })
    const refused = fork(maxBranches, 2)
    expect(await refused.result).to.include({ code: 'too_many_branches', status: 409 })
    expect((await refused.result) as Error)
      .to.have.property('message')
      .that.includes(String(maxBranches))
    expect(refused.branches.size).to.equal(0)
  })

  it('forks nothing where nothing would be left behind, however many branches there are', async () => {
    const kept = fork(maxBranches, 4)
    expect(await kept.result).to.deep.equal(chatOf(maxBranches))
    expect(kept.branches.size).to.equal(0)
  })
})
