import { createFakeUserFiles, createMemoryDatabase, describeUserData, testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createPrincipalRecords, createSandboxUserData, principalCollection } from './principal-records.js'
import { createSetAsideWorkspaces } from './set-aside-workspaces.js'

const ended: string[] = []

function create() {
  const database = createMemoryDatabase([principalCollection])
  const records = createPrincipalRecords(database)
  const files = createFakeUserFiles()
  const accounts = { get: async (id: string) => ({ ...testAccount, id, handle: id }) }
  const setAside = createSetAsideWorkspaces({ files, accounts })
  const end = async ({ id }: { readonly id: string }): Promise<void> => {
    ended.push(id)
    await records.remove(id)
  }
  return { database, files, records, data: createSandboxUserData(records, end, () => undefined, setAside) }
}
const principal = (userId: string, id: string) => ({ userId, id, kind: 'agent', userHandle: 'ada', workspace: 'assistant' }) as const

describeUserData({
  name: 'of the sandbox',
  create() {
    const { database, records, data } = create()
    return {
      data,
      database,
      async fill(userId) {
        for (const id of ['agent-1', 'agent-2']) await records.note(principal(userId, id))
      },
      async fillMany(userId) {
        for (let index = 0; index <= 200; index += 1) await records.note(principal(userId, `agent-${index}`))
      },
      secrets: [],
      restarted: 'not applicable',
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

  it('end with a former holder of their account, and leave the workspaces to no agent', async () => {
    const { files, records, data } = create()
    await records.note(principal('ada', 'a'))
    const write = (path: string): unknown => files.files.set(path, new TextEncoder().encode('x'))
    for (const path of ['ada/workspaces/assistant/.bashrc', 'ada/workspaces/before-2026-01-01-0000/.bashrc', 'bob/workspaces/assistant/a'])
      write(path)
    // More than one page of a listing, with names that come before those of workspaces.
    for (let number = 0; number < 110; number += 1) write(`ada/workspaces/a-${String(number).padStart(4, '0')}/x`)
    ended.length = 0
    const name = 'before-2026-01-01-5f3a'
    const handOver = () => data.handOver?.('ada', { signal: new AbortController().signal, name, setAside: async () => undefined })
    expect(await handOver()).to.deep.equal([{ what: `workspaces of agents, in “${name}”`, count: 112, outcome: 'kept' }])
    expect(ended).to.have.length(1)
    const left = (): readonly string[] => [...files.files.keys()].filter((path) => !path.startsWith(`ada/workspaces/${name}/`))
    expect(left()).to.deep.equal(['bob/workspaces/assistant/a'])
    expect(files.files.has(`ada/workspaces/${name}/assistant/.bashrc`)).to.equal(true)
    expect(await handOver(), 'again').to.deep.equal([])
    // A program that was ending has made it again.
    write('ada/workspaces/assistant/.bashrc')
    await handOver()
    expect(left()).to.deep.equal(['bob/workspaces/assistant/a'])
  })
})
