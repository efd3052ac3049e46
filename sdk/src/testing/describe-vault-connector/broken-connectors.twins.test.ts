import { expect } from 'chai'
import type { VaultConnection } from '../../contracts/vault-connector/vault-connector.js'
import { Type } from '../../core/type.js'
import { soundTitle } from '../assert-sound.js'
import { secretMembersTitle } from '../secret-members.js'
import { type Change, describeTwins, failing } from './broken/break-connector.test.js'
import { inward, supports, tests } from './broken/suite-titles.test.js'

describeTwins('what a connector declares', [
  ['another generation', () => ({ specVersion: 2 as never }), [soundTitle]],
  [
    'a secret that is not marked as one',
    () => ({ connection: Type.Object({ token: Type.String({ title: 'Token' }) }) }),
    [secretMembersTitle],
  ],
  ['support that is only claimed', () => ({ supports: { write: true, renew: false } }), [soundTitle, supports]],
])

describe('the suite of vault connectors, with other benches', () => {
  it('detects a connection of a user that leads inward', async () => {
    let connections = 0
    const change: Change = ({ test }) => ({
      test(of, call) {
        if (of.id === 'inward') connections += 1
        return test(of, call)
      },
    })
    const connection: VaultConnection = { id: 'inward', origin: 'user', members: { token: 'inward' } }
    expect(await failing(change, [inward], () => ({ inward: { connection, connections: () => connections } }))).to.deep.equal([inward])
    expect(
      await failing(
        () => ({}),
        [inward],
        () => ({ inward: { connection, connections: () => 0 } }),
      ),
    ).to.deep.equal([])
  })

  it('detects a secret in the log', async () => {
    const lines = () => ['sent plain-canary-of-one']
    expect(
      await failing(
        () => ({}),
        [tests],
        () => ({ lines }),
      ),
    ).to.deep.equal([tests])
  })

  it('passes a connector that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })
})
