import { quotasToken } from '@agent-service/kernel/testing/tokens'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'

describe('one account with many concurrent requests', () => {
  let agents: AgentsKernel
  let ada: Person
  let bob: Person
  let chats: ReadonlyMap<Person, string>

  before(async () => {
    setScript({ answer: () => says('An answer.') })
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    bob = await agents.person('bob')
    chats = new Map([
      [ada, await ada.newChat()],
      [bob, await bob.newChat()],
    ])
    for (const person of [ada, bob]) {
      const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' }
      await fetch(`${agents.kernel.url}/api/files/content?path=files/f`, { method: 'PUT', headers, body: 'text' })
    }
  })
  after(() => agents?.close())

  const limitNamed = (name: string) => {
    const found = [...agents.kernel.container.resolve(quotasToken).limits()].find(({ definition }) => definition.name === name)
    return found ?? expect.fail(`There is no limit ${name}.`)
  }
  const cases: readonly [string, string, (person: Person) => string][] = [
    ['searches', 'chat-searches', () => '/api/chats/search?q=answer'],
    ['exports', 'chat-exports', (person) => `/api/chats/${chats.get(person)}/export`],
    ['listings of folders', 'folder-listings', () => '/api/files?path=files'],
    ['downloads', 'file-downloads', () => '/api/files/content?path=files/f'],
  ]

  for (const [what, name, pathFor] of cases) {
    it(`has a share of the ${what}, a few more wait, and other accounts keep theirs`, async () => {
      const ask = async (person: Person): Promise<number> => {
        const answer = await fetch(`${agents.kernel.url}${pathFor(person)}`, { headers: { authorization: `Bearer ${person.token}` } })
        await answer.arrayBuffer()
        return answer.status
      }
      const limit = limitNamed(name)
      const { maxPerHolder, waiting } = limit.definition
      const mayWait = waiting?.maxPerHolder ?? 0
      const holds = Array.from({ length: Number(maxPerHolder) }, () => limit.take(`user:${ada.userId}`))
      const tooMany = 20
      let refused = 0
      const more = Array.from({ length: mayWait + tooMany }, async () => {
        const status = await ask(ada)
        if (status === 429) refused += 1
        if (refused === tooMany) for (const hold of holds) hold.release()
        return status
      })
      expect(await ask(bob)).to.equal(200)
      const statuses = await Promise.all(more)
      expect(statuses.filter((status) => status === 200)).to.have.length(mayWait)
      expect(statuses.filter((status) => status === 429)).to.have.length(tooMany)
      // A place is released when its answer has been sent, which a client may see a moment earlier.
      const all = await limit.acquire(`user:${ada.userId}`, Number(maxPerHolder), { signal: AbortSignal.timeout(20_000) })
      await eventually(() => limit.total() === Number(maxPerHolder), { what: () => `${limit.total()} places are held` })
      all.release()
    })
  }
})
