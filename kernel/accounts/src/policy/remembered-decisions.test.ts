import { createGate } from '@agent-service/kernel-core/database/testing'
import { expect } from 'chai'
import { type EngineCall, interceptEngine } from './testing/intercept-engine.js'
import { ada, openPoliciesUnderTest } from './testing/policies-under-test.js'
import { callOf, testRoute, tools, useOf } from './testing/questions.js'
import { openShippedEngine } from './testing/shipped-engine.js'

describe('decisions that are remembered', () => {
  const open = async () => {
    const { engine, close } = await openShippedEngine()
    const jobs: EngineCall[] = []
    const counted = interceptEngine(engine, (kind, work) => {
      jobs.push(kind)
      return work()
    })
    const policies = await openPoliciesUnderTest({ engine: counted, routes: [testRoute('user')] })
    const end = async (): Promise<void> => {
      await policies.end()
      await close()
    }
    return { jobs, policies, end }
  }

  it('are made once: for concurrent callers, for a whole list, and for all users of a role', async () => {
    const { jobs, policies, end } = await open()
    try {
      policies.roles.set('bob', 'user')
      await Promise.all(Array.from({ length: 50 }, (_, index) => policies.service.isAuthorized(callOf(index % 2 === 0 ? 'eve' : 'bob'))))
      expect(jobs).to.deep.equal(['load', 'decide'])
      const question = { principal: { type: 'User', id: 'eve' }, action: 'use_tool' }
      expect(await policies.service.allowedOf(question, tools(50))).to.deep.equal(Array.from({ length: 50 }, () => false))
      expect(await policies.service.allowedOf(question, [])).to.deep.equal([])
      expect(jobs).to.deep.equal(['load', 'decide', 'decide'])
      await policies.service.allowedOf(question, tools(50))
      expect(jobs).to.have.length(3)
    } finally {
      await end()
    }
  })

  it('stay within a limit, and are forgotten when roles change', async () => {
    const { policies, end } = await open()
    try {
      const question = { principal: { type: 'User', id: 'eve' }, action: 'use_tool' }
      const long = (start: number) =>
        Array.from({ length: 200 }, (_, index) => ({ type: 'Tool', id: `${start + index}`, attributes: { name: 'x'.repeat(20_000) } }))
      for (let start = 0; start < 400; start += 200) await policies.service.allowedOf(question, long(start))
      expect(policies.remembered()).to.be.within(1, 210)
      policies.rolesChanged()
      expect(policies.remembered()).to.equal(0)
    } finally {
      await end()
    }
  })

  it('are neither remembered nor shared if something changed while they were made', async () => {
    const held = createGate()
    const { engine: real, close } = await openShippedEngine()
    let hold = false
    const engine = interceptEngine(real, async (kind, work) => {
      const isHeld = hold && kind === 'decide'
      if (isHeld) hold = false
      const answer = await work()
      if (isHeld) await held.opened
      return answer
    })
    const policies = await openPoliciesUnderTest({ engine })
    try {
      const permit = { text: 'permit (principal, action == Action::"use_tool", resource);', description: '', enabled: true }
      await policies.service.isAuthorized(callOf('eve'))
      hold = true
      const early = policies.service.isAuthorized(useOf())
      await policies.administration.create(permit, ada)
      // No caller waits for the earlier decision, and its result is not shared.
      expect(await policies.service.isAuthorized(useOf())).to.deep.equal({ allowed: true })
      policies.rolesChanged()
      held.open()
      expect(await early).to.deep.equal({ allowed: true })
      expect(await policies.service.isAuthorized(useOf())).to.deep.equal({ allowed: true })
    } finally {
      await policies.end()
      await close()
    }
  })
})
