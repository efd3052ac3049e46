import { expect } from 'chai'
import { rejection } from '../database/testing/test-database.js'
import type { PolicyEngine } from './engine/create-policy-engine.js'
import { policyEngineFailedError } from './errors.js'
import { openPoliciesUnderTest, resourcesWith } from './testing/policies-under-test.js'
import { callOf, principalOf, testRoute } from './testing/questions.js'

describe('policies that cannot be used', () => {
  const broken: PolicyEngine = {
    run: () => Promise.reject(policyEngineFailedError.create({ reason: 'no such file', usable: false })),
    start: () => undefined,
    close: () => Promise.resolve(),
  }

  it('deny everything and say why, once the engine fails', async () => {
    const policies = await openPoliciesUnderTest({ engine: broken, routes: [testRoute('user')] })
    let told = 0
    policies.onFailureChange(() => told++)
    expect((await policies.service.isAuthorized(callOf('ada'))).allowed).to.equal(false)
    const error = await rejection(policies.routeAccess.mayCall(principalOf('ada', 'admin'), testRoute('user')))
    expect([error.code, error.status]).to.deep.equal(['policies_unavailable', 503])
    expect(error.message).to.not.include('no such file')
    expect([policies.failure(), told]).to.deep.equal(['no such file', 1])
    expect(policies.log.lines.filter(({ level }) => level === 'error')).to.have.length(1)
    await policies.end()
  })

  it('deny everything while a shipped file does not parse, and count again soon after it does', async () => {
    const files: Record<string, string> = { 'policy/own.cedar': '@id("own")\npermit (principal, action, resource;' }
    const policies = await openPoliciesUnderTest({ resources: resourcesWith(files), routes: [testRoute('user')] })
    try {
      expect((await policies.service.isAuthorized(callOf('ada'))).allowed).to.equal(false)
      expect(policies.failure()).to.match(/^own\.cedar:2:36: /)
      files['policy/own.cedar'] = ''
      expect((await policies.service.isAuthorized(callOf('ada'))).allowed).to.equal(false)
      await policies.clock.advance(5_001)
      expect((await policies.service.isAuthorized(callOf('ada'))).allowed).to.equal(true)
      expect(policies.failure()).to.equal(undefined)
    } finally {
      await policies.end()
    }
  })
})
