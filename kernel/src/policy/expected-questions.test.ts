import { expect } from 'chai'
import { createPolicyEngine, type PolicyEngine } from './engine/create-policy-engine.js'
import type { EngineJobKind } from './engine/engine-jobs.js'
import { openPoliciesUnderTest } from './testing/policies-under-test.js'
import { callOf, testRoute } from './testing/questions.js'

describe('questions that are expected', () => {
  it('find the engine loaded, also where it had ended, and once for many', async () => {
    let real = createPolicyEngine()
    const jobs: EngineJobKind[] = []
    let onDecided: () => void = () => undefined
    const engine: PolicyEngine = {
      async run(kind, given) {
        const answer = await real.run(kind, given)
        jobs.push(kind)
        if ('decisions' in answer) onDecided()
        return answer
      },
      start: () => real.start(),
      close: () => real.close(),
    }
    const policies = await openPoliciesUnderTest({ engine, routes: [testRoute('user')] })
    const expectMany = async (): Promise<readonly EngineJobKind[]> => {
      const decided = new Promise<void>((resolve) => {
        onDecided = resolve
      })
      for (let turn = 0; turn < 10; turn++) policies.expectQuestions()
      await decided
      return jobs.splice(0)
    }
    try {
      expect(await expectMany()).to.deep.equal(['load', 'decide'])
      expect((await policies.service.isAuthorized(callOf('eve'))).allowed).to.equal(true)
      expect(jobs.splice(0)).to.deep.equal(['decide'])
      await real.close()
      real = createPolicyEngine()
      expect(await expectMany()).to.deep.equal(['decide', 'load', 'decide'])
    } finally {
      await policies.end()
    }
  })

  it('are no reason to complain where the service stops meanwhile', async () => {
    const policies = await openPoliciesUnderTest()
    policies.expectQuestions()
    await policies.close()
    await policies.end()
    expect(policies.failure()).to.equal(undefined)
    expect(policies.log.lines.filter(({ level }) => level !== 'debug')).to.deep.equal([])
  })
})
