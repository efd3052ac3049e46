import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { ada, openPoliciesUnderTest, type PoliciesUnderTest } from './testing/policies-under-test.js'
import { principalOf, testRoute } from './testing/questions.js'

const route = (operationId: string, includes?: readonly string[]): HttpRoute => ({
  ...testRoute('user'),
  operationId,
  ...(includes && { includes }),
})
const write = route('write')
const again = route('again', ['write'])
const both = route('both', ['read', 'write'])
const lost = route('lost', ['absent'])

describe('a route that includes other operations', () => {
  let policies: PoliciesUnderTest
  before(async () => {
    policies = await openPoliciesUnderTest({ routes: [write, route('read'), again, both, lost] })
  })
  after(() => policies.end())

  const allowed = async (asked: HttpRoute, role: 'admin' | 'user' = 'user', actor = false): Promise<boolean> => {
    const principal = principalOf(role === 'admin' || actor ? 'ada' : 'eve', role)
    return policies.routeAccess.mayCall(actor ? { ...principal, actor: { kind: 'agent', id: 'a', purpose: 'sandbox' } } : principal, asked)
  }
  const withPolicy = async (text: string, work: () => Promise<void>): Promise<void> => {
    const { id } = await policies.administration.create({ text, description: '', enabled: true }, ada)
    await work()
    await policies.administration.delete(id, ada)
  }

  it('is forbidden by a policy about one of these, and otherwise unaffected', async () => {
    expect([await allowed(again), await allowed(both)]).to.deep.equal([true, true])
    await withPolicy('forbid (principal, action == Action::"call", resource == Route::"write");', async () => {
      expect([await allowed(write), await allowed(again), await allowed(both)]).to.deep.equal([false, false, false])
    })
    await withPolicy('forbid (principal, action == Action::"call", resource == Route::"again");', async () => {
      expect([await allowed(write), await allowed(again), await allowed(both)]).to.deep.equal([true, false, true])
    })
    expect([await allowed(again), await allowed(both)]).to.deep.equal([true, true])
  })

  it('treats a principal that acts for an admin as a user', async () => {
    const text = 'forbid (principal, action == Action::"call", resource == Route::"write") unless { principal.role == "admin" };'
    await withPolicy(text, async () => {
      expect([await allowed(again, 'admin'), await allowed(again, 'user', true)]).to.deep.equal([true, false])
    })
  })

  it('is forbidden to everyone if one of these is not served', async () => {
    expect([await allowed(lost), await allowed(lost, 'admin')]).to.deep.equal([false, false])
    expect(policies.log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).to.include(
      'A call was denied because it includes an operation that is not served.',
    )
  })
})
