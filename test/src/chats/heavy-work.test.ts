import { quotasToken } from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'

describe('one account that asks for much at once', () => {
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
  })
  after(() => agents?.close())

  const limitNamed = (name: string) => {
    const found = [...agents.kernel.container.resolve(quotasToken).limits()].find(({ definition }) => definition.name === name)
    return found ?? expect.fail(`There is no limit ${name}.`)
  }
  const cases: readonly [string, string, number, (person: Person) => string][] = [
    ['searches', 'chat-searches', 8, () => '/api/chats/search?q=answer'],
    ['exports', 'chat-exports', 4, (person) => `/api/chats/${chats.get(person)}/export`],
  ]

  for (const [what, name, mayWait, pathFor] of cases) {
    it(`has two ${what} at a time and a few that wait, and keeps nobody else from theirs`, async () => {
      const ask = async (person: Person): Promise<number> => {
        const answer = await fetch(`${agents.kernel.url}${pathFor(person)}`, { headers: { authorization: `Bearer ${person.token}` } })
        await answer.arrayBuffer()
        return answer.status
      }
      const limit = limitNamed(name)
      const holds = [limit.take(`user:${ada.userId}`), limit.take(`user:${ada.userId}`)]
      let refused = 0
      const more = Array.from({ length: 30 }, async () => {
        const status = await ask(ada)
        if (status === 429) refused += 1
        if (refused === 30 - mayWait) for (const hold of holds) hold.release()
        return status
      })
      expect(await ask(bob)).to.equal(200)
      const statuses = await Promise.all(more)
      expect(statuses.filter((status) => status === 200)).to.have.length(mayWait)
      expect(statuses.filter((status) => status === 429)).to.have.length(30 - mayWait)
      expect(limit.total()).to.equal(0)
    })
  }
})
