import { expect } from 'chai'
import { vaultItemNotFoundError, vaultRateLimitedError } from '../../contracts/vault-connector/errors.js'
import type { VaultConnection } from '../../contracts/vault-connector/vault-connector.js'
import { Type } from '../../core/type.js'
import { soundTitle } from '../assert-sound.js'
import { secretMembersTitle } from '../secret-members.js'
import { type Change, describeTwins, failing } from './broken/break-connector.test.js'
import { busy, inward, redirecting, renews, supports, tests } from './broken/suite-titles.test.js'

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

  it('lets a connector refuse an id before it looks at the address, but not after it was connected', async () => {
    const connection: VaultConnection = { id: 'inward', origin: 'user', members: { token: 'inward' } }
    const refusing: Change = ({ read }) => ({
      async read(of, id, call) {
        if (!id.startsWith('item-')) throw vaultItemNotFoundError.create({ id, deleted: false })
        return await read(of, id, call)
      },
    })
    const failed = async (connections: number): Promise<readonly string[]> =>
      failing(refusing, [inward], () => ({ inward: { connection, connections: () => connections } }))
    expect([await failed(0), await failed(1)]).to.deep.equal([[], [inward]])
  })

  it('detects a token that follows a redirect', async () => {
    const received: string[] = []
    const following: Change = ({ read }) => ({
      read: (of, ...given) =>
        read(of, ...given).catch((error: unknown) => {
          received.push(`authorization: Bearer ${String(of.members['token'])}`)
          throw error
        }),
    })
    expect(await failing(following, [redirecting], () => ({ elsewhere: () => received }))).to.deep.equal([redirecting])
  })

  it('detects seconds in place of milliseconds, and no wait at all', async () => {
    const waiting =
      (retryAfterMs: number | undefined): Change =>
      ({ read }) => ({
        read: (...given) =>
          read(...given).catch((error: unknown) => {
            if (!vaultRateLimitedError.isInstance(error)) throw error
            throw vaultRateLimitedError.create({ vault: 'Plain', ...(retryAfterMs !== undefined && { retryAfterMs }) })
          }),
      })
    for (const wait of [7, undefined]) expect(await failing(waiting(wait), [busy]), String(wait)).to.deep.equal([busy])
    expect(await failing(waiting(7_500), [busy])).to.deep.equal([])
  })

  it('detects a renewal that keeps the new end to itself', async () => {
    const ending: Change = ({ test }) => ({
      test: async (of, call) => ({ ...(await test(of, call)), expiresAt: Date.now() + 3_600_000 }),
    })
    expect(await failing(ending, [renews])).to.deep.equal([renews])
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
