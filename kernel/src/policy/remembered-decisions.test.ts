import { expect } from 'chai'
import { createGate } from '../database/testing/test-database.js'
import { createPolicyEngine, type PolicyEngine } from './engine/create-policy-engine.js'
import { ada, openPoliciesUnderTest } from './testing/policies-under-test.js'
import { callOf, testRoute, tools, useOf } from './testing/questions.js'

/** Counts the jobs that reach the engine. */
function counted(engine: PolicyEngine): PolicyEngine & { readonly jobs: string[] } {
  const jobs: string[] = []
  return {
    jobs,
    run(kind, given) {
      jobs.push(kind)
      return engine.run(kind, given)
    },
    start: () => engine.start(),
    close: () => engine.close(),
  }
}

describe('decisions that are remembered', () => {
  const open = async () => {
    const engine = counted(createPolicyEngine())
    const policies = await openPoliciesUnderTest({ engine, routes: [testRoute('user')] })
    return { engine, policies }
  }

  it('are asked for once: by many at the same time, by a whole list, and for all users of a role', async () => {
    const { engine, policies } = await open()
    try {
      policies.roles.set('bob', 'user')
      await Promise.all(Array.from({ length: 50 }, (_, index) => policies.service.isAuthorized(callOf(index % 2 === 0 ? 'eve' : 'bob'))))
      expect(engine.jobs).to.deep.equal(['load', 'decide'])
      const question = { principal: { type: 'User', id: 'eve' }, action: 'use_tool' }
      expect(await policies.service.allowedOf(question, tools(50))).to.deep.equal(Array.from({ length: 50 }, () => false))
      expect(await policies.service.allowedOf(question, [])).to.deep.equal([])
      expect(engine.jobs).to.deep.equal(['load', 'decide', 'decide'])
      await policies.service.allowedOf(question, tools(50))
      expect(engine.jobs).to.have.length(3)
    } finally {
      await policies.end()
    }
  })

  it('stay within a bound, and are forgotten when roles change', async () => {
    const { policies } = await open()
    try {
      const question = { principal: { type: 'User', id: 'eve' }, action: 'use_tool' }
      const long = (start: number) =>
        Array.from({ length: 200 }, (_, index) => ({ type: 'Tool', id: `${start + index}`, attributes: { name: 'x'.repeat(20_000) } }))
      for (let start = 0; start < 400; start += 200) await policies.service.allowedOf(question, long(start))
      expect(policies.remembered()).to.be.within(1, 210)
      policies.rolesChanged()
      expect(policies.remembered()).to.equal(0)
    } finally {
      await policies.end()
    }
  })

  it('are neither kept nor shared once something changed while they were made', async () => {
    const held = createGate()
    const real = createPolicyEngine()
    let hold = false
    const engine: PolicyEngine = {
      async run(kind, given) {
        const isHeld = hold && kind === 'decide'
        if (isHeld) hold = false
        const answer = await real.run(kind, given)
        if (isHeld) await held.opened
        return answer
      },
      start: () => real.start(),
      close: () => real.close(),
    }
    const policies = await openPoliciesUnderTest({ engine })
    try {
      const permit = { text: 'permit (principal, action == Action::"use_tool", resource);', description: '', enabled: true }
      await policies.service.isAuthorized(callOf('eve'))
      hold = true
      const early = policies.service.isAuthorized(useOf())
      await policies.administration.create(permit, ada)
      // Nobody waits for the one from before, and what it finds in the end is not what others get.
      expect(await policies.service.isAuthorized(useOf())).to.deep.equal({ allowed: true })
      policies.rolesChanged()
      held.open()
      expect(await early).to.deep.equal({ allowed: true })
      expect(await policies.service.isAuthorized(useOf())).to.deep.equal({ allowed: true })
    } finally {
      await policies.end()
    }
  })
})
