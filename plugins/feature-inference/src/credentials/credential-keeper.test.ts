import { defineError } from '@agent-service/sdk'
import { credentialUnavailableError, reauthenticationRequiredError } from '@agent-service/sdk/services/credentials'
import { expect } from 'chai'
import type { Connection } from '../connections/connections.js'
import { createFakeCredentials } from '../test-support/credential-fakes.js'
import { createCredentialKeeper } from './credential-keeper.js'

const { signal } = new AbortController()
const connection: Connection = {
  ...{ handle: 'work', brand: undefined, brandName: 'house', adapter: 'adapter_alpha', discovered: false },
  settings: { enabled: true, credential_id: 'ONE' },
}
const unreadable = defineError<Record<string, never>>({ code: 'secret_unreadable', status: 500, title: 'Unreadable', message: () => 'no' })

async function openKeeper() {
  const credentials = createFakeCredentials()
  const details = { brand: 'house', checked_at: null, check_ok: null }
  const content = { kind: 'oauth', tokens: { accessToken: 'access-0' } } as const
  await credentials.create({ owner: 'deployment', id: 'one', purpose: 'provider', label: 'Ours', details, content })
  const keeper = createCredentialKeeper(credentials)
  const errorOf = async (of: Connection = connection): Promise<Error & { readonly code: string }> =>
    keeper.open(of, { signal }).then(
      () => {
        throw new Error('It was opened.')
      },
      (error: unknown) => error as Error & { readonly code: string },
    )
  return { credentials, keeper, errorOf }
}

describe('the credential of a connection', () => {
  it('is found by its id in any case', async () => {
    const { keeper } = await openKeeper()
    expect(await keeper.open(connection, { signal })).to.deep.equal({ kind: 'account', secret: 'access-0' })
  })

  it('serves only connections of its brand', async () => {
    const { errorOf } = await openKeeper()
    const error = await errorOf({ ...connection, brandName: 'other' })
    expect(error.message).to.contain('belongs to “house”').and.contain('“other”').and.contain('one')
  })

  for (const [what, thrown, words] of [
    ['the vendor refuses', reauthenticationRequiredError.create({ id: 'one', reason: 'invalid_grant' }), ['invalid_grant', 'sign in']],
    ['there is cannot be renewed', reauthenticationRequiredError.create({ id: 'one', reason: 'expired' }), ['cannot be renewed']],
    [
      'nobody can be asked',
      credentialUnavailableError.create({ id: 'one', reason: 'it could not be reached' }),
      ['it could not be reached', 'next call'],
    ],
    ['it cannot be read', unreadable.create({}), ['cannot be read', 'enter it again']],
  ] as const)
    it(`reports what to do when ${what}`, async () => {
      const { credentials, errorOf } = await openKeeper()
      credentials.fail = thrown
      const error = await errorOf()
      expect(error).to.include({ code: 'credential_unusable' })
      for (const word of ['“work”', 'one', ...words]) expect(error.message).to.contain(word)
    })

  it('is reported as deleted, or as needing a new sign-in', async () => {
    const { credentials, errorOf } = await openKeeper()
    await credentials.delete({ owner: 'deployment', id: 'one' })
    expect((await errorOf()).message).to.contain('the managed credential one does not exist')
    const moved = { createdAt: 0, reauthenticationReason: 'invalid_grant' }
    const details = { brand: 'house', checked_at: null, check_ok: null }
    const content = { kind: 'oauth', tokens: { accessToken: 'a' } } as const
    await credentials.create({ owner: 'deployment', id: 'one', purpose: 'provider', label: 'Ours', details, content, moved })
    expect((await errorOf()).message)
      .to.contain('no longer')
      .and.contain('sign in')
  })

  it('is renewed if the vendor refused its token, and only then', async () => {
    const { credentials, keeper } = await openKeeper()
    const access = await keeper.open(connection, { signal })
    expect(await keeper.renew(connection, access, { signal }), 'there was no other').to.equal(false)
    credentials.renewed = 'access-1'
    expect(await keeper.renew(connection, access, { signal })).to.equal(true)
    expect(await keeper.renew(connection, { kind: 'api_key', secret: 'k' }, { signal })).to.equal(false)
    credentials.fail = reauthenticationRequiredError.create({ id: 'one', reason: 'invalid_grant' })
    expect(await keeper.renew(connection, access, { signal })).to.equal(false)
  })
})
