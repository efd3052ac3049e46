import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { peopleOnlyError, refuseActors } from './people-only.js'

const person: Principal = { userId: 'u', username: 'ada', handle: 'ada', role: 'user', scopes: ['read', 'write'] }

describe('what only people may do', () => {
  it('is refused to everything that acts for one', () => {
    for (const kind of ['agent', 'app', 'mcp_server'] as const) {
      const principal: Principal = { ...person, actor: { kind, id: 'x', purpose: 'sandbox' } }
      expect(() => refuseActors({ principal }, 'change an agent'), kind)
        .to.throw('Only a person may change an agent')
        .that.satisfies(peopleOnlyError.isInstance)
    }
  })

  it('is open to people and their tokens', () => {
    expect(() => refuseActors({ principal: person }, 'x')).to.not.throw()
    expect(() => refuseActors({ principal: { ...person, tokenId: 't' } }, 'x')).to.not.throw()
  })
})
