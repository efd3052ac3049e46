import type { PolicyEngine } from '@agent-service/sdk/contracts/policy-engine'
import { expect } from 'chai'
import { type EngineCall, interceptEngine } from './testing/intercept-engine.js'
import { openPoliciesUnderTest } from './testing/policies-under-test.js'
import { callOf, testRoute } from './testing/questions.js'
import { openShippedEngine } from './testing/shipped-engine.js'

describe('questions that are expected', () => {
  it('find the engine loaded, also if it had ended, and once for many', async () => {
    let shipped = await openShippedEngine()
    let prepared = 0
    const latest: PolicyEngine = {
      ...shipped.engine,
      async prepare() {
        prepared += 1
        await shipped.engine.prepare()
      },
      load: (...given) => shipped.engine.load(...given),
      decide: (...given) => shipped.engine.decide(...given),
    }
    const jobs: EngineCall[] = []
    let onDecided: () => void = () => undefined
    const engine = interceptEngine(latest, async (kind, work) => {
      const answer = await work()
      jobs.push(kind)
      if (typeof answer === 'object' && answer !== null && 'decisions' in answer) onDecided()
      return answer
    })
    const policies = await openPoliciesUnderTest({ engine, routes: [testRoute('user')] })
    const expectMany = async (): Promise<readonly EngineCall[]> => {
      const decided = new Promise<void>((resolve) => {
        onDecided = resolve
      })
      for (let turn = 0; turn < 10; turn++) policies.expectQuestions()
      await decided
      return jobs.splice(0)
    }
    try {
      expect(await expectMany()).to.deep.equal(['load', 'decide'])
      expect(prepared).to.equal(1)
      expect((await policies.service.isAuthorized(callOf('eve'))).allowed).to.equal(true)
      expect(jobs.splice(0)).to.deep.equal(['decide'])
      await shipped.close()
      shipped = await openShippedEngine()
      expect(await expectMany()).to.deep.equal(['decide', 'load', 'decide'])
    } finally {
      await policies.end()
      await shipped.close()
    }
  })

  it('log no failure if the service stops meanwhile', async () => {
    const policies = await openPoliciesUnderTest()
    policies.expectQuestions()
    await policies.close()
    await policies.end()
    expect(policies.failure()).to.equal(undefined)
    expect(policies.log.lines.filter(({ level }) => level !== 'debug')).to.deep.equal([])
  })
})
