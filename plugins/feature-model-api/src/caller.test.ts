import type { AccessScope, Principal } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { mayUseAgents, mayUseGroups, requireModel } from './caller.js'

const caller = (scopes: readonly AccessScope[], more: Partial<Principal> = {}): { readonly principal: Principal } => ({
  principal: { userId: 'u', username: 'ada', handle: 'ada', role: 'user', scopes, ...more },
})
const codeOf = (scopes: readonly AccessScope[], model: string, more: Partial<Principal> = {}): string => {
  try {
    requireModel(caller(scopes, more), model)
    return 'allowed'
  } catch (error) {
    return String((error as { readonly code?: string }).code)
  }
}

describe('access of a caller to the OpenAI protocols', () => {
  it('requires read and write for agents, and inference for model groups', () => {
    const table: readonly (readonly [readonly AccessScope[], string, string])[] = [
      [['inference'], 'forbidden', 'allowed'],
      [['read'], 'forbidden', 'forbidden'],
      [['write'], 'forbidden', 'forbidden'],
      [['read', 'write'], 'allowed', 'forbidden'],
      [['write', 'inference'], 'forbidden', 'allowed'],
      [['read', 'write', 'inference'], 'allowed', 'allowed'],
    ]
    for (const [scopes, agent, group] of table) {
      expect([codeOf(scopes, 'agent/talker'), codeOf(scopes, 'primary')], scopes.join(' ')).to.deep.equal([agent, group])
      const { principal } = caller(scopes)
      expect([mayUseAgents(principal), mayUseGroups(principal)]).to.deep.equal([agent === 'allowed', group === 'allowed'])
    }
  })

  it('never includes agents for an actor, whatever its scopes', () => {
    for (const kind of ['agent', 'app', 'mcp_server'] as const) {
      const more: Partial<Principal> = { actor: { kind, id: 'a', purpose: 'sandbox' } }
      const scopes: readonly AccessScope[] = ['read', 'write', 'inference']
      expect([codeOf(scopes, 'agent/talker', more), codeOf(scopes, 'primary', more)], kind).to.deep.equal(['people_only', 'allowed'])
      expect(mayUseAgents(caller(scopes, more).principal)).to.equal(false)
    }
  })
})
