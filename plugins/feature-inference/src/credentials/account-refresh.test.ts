import { expect } from 'chai'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import type { Connection } from '../connections/connections.js'
import { createFakeDatabase, fakeSealedFields } from '../test-support/credential-fakes.js'
import { createFakeSecrets, createInstantClock } from '../test-support/fakes.js'
import { createAccountRefresh } from './account-refresh.js'
import { createCredentialKeeper } from './credential-keeper.js'
import { createCredentialStore } from './credential-store.js'
import type { AskServer, ServerAnswer } from './token-endpoint.js'

const settings: SignInSettings = {
  kind: 'device',
  device_url: 'https://vendor.test/device',
  token_url: 'https://vendor.test/token',
  client_id: 'client',
  scopes: [],
}
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => log }
const { signal } = new AbortController()

/** A vendor whose refresh tokens work once, and a store with one account of it. */
async function openAccount(options: { readonly livesMs?: number; readonly refreshToken?: string | null } = {}) {
  const clock = createInstantClock()
  const database = createFakeDatabase()
  const secrets = createFakeSecrets({})
  const store = createCredentialStore({ database, secrets, clock, sealedFields: fakeSealedFields })
  const asked: Readonly<Record<string, string>>[] = []
  let answer: ServerAnswer | undefined
  let beforeAnswer = async (): Promise<void> => undefined
  const ask: AskServer = async (_url, form) => {
    asked.push(form)
    const number = asked.length
    await beforeAnswer()
    if (answer) return answer
    return { kind: 'answer', body: { access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 3_600 } }
  }
  const make = () => {
    const refresh = createAccountRefresh({
      store,
      ask,
      clock,
      log,
      signal,
      signInOf: (brand) => (brand === 'house' ? settings : undefined),
    })
    return createCredentialKeeper({ store, refresh, clock })
  }
  const { refreshToken = 'refresh-0' } = options
  const { id } = await store.create({
    brand: 'house',
    label: 'Mine',
    payload: {
      kind: 'account',
      access_token: 'access-0',
      ...(refreshToken !== null && { refresh_token: refreshToken }),
      expires_at: clock.now() + (options.livesMs ?? 60_000),
    },
  })
  const connection: Connection = {
    ...{ handle: 'work', brand: undefined, brandName: 'house', adapter: 'adapter_alpha', discovered: false },
    settings: { enabled: true, credential_id: id.toUpperCase() },
  }
  const keeper = make()
  return {
    ...{ id, clock, database, secrets, store, asked, connection, keeper, make },
    answers: (given: ServerAnswer | undefined) => {
      answer = given
    },
    meanwhile: (work: () => Promise<void>) => {
      beforeAnswer = work
    },
    open: () => keeper.open(connection, { signal }),
    tokens: async () => (await store.open(id))?.payload,
    errorOf: () =>
      keeper.open(connection, { signal }).then(
        () => undefined,
        (error: unknown) => error as Error & { readonly code: string },
      ),
  }
}

describe('the tokens of an account', () => {
  it('are used until shortly before they end', async () => {
    const account = await openAccount({ livesMs: 3_600_000 })
    expect(await account.open()).to.deep.equal({ kind: 'account', secret: 'access-0' })
    expect(account.asked).to.have.length(0)
  })

  it('are replaced before they end, once for all who call, and stored with what the next refresh needs', async () => {
    const account = await openAccount()
    const opened = await Promise.all(Array.from({ length: 10 }, () => account.open()))
    expect(new Set(opened.map(({ secret }) => secret))).to.deep.equal(new Set(['access-1']))
    expect(account.asked).to.deep.equal([{ grant_type: 'refresh_token', refresh_token: 'refresh-0', client_id: 'client' }])
    expect(await account.tokens()).to.include({ access_token: 'access-1', refresh_token: 'refresh-1' })
    expect(account.secrets.protectedValues).to.include.members(['access-1', 'refresh-1'])
  })

  it('are not given out before they are stored', async () => {
    const account = await openAccount()
    account.database.refuse = new Error('the disk is full')
    expect(await account.open(), 'the old ones have not ended').to.include({ secret: 'access-0' })
    expect(account.asked).to.have.length(1)
  })

  it('survive a store that refuses them for a while', async () => {
    const account = await openAccount({ livesMs: -1 })
    account.database.refuse = new Error('the disk is full')
    expect(String(await account.errorOf())).to.contain('could not be read or stored')
    account.database.refuse = undefined
    expect(await account.open()).to.include({ secret: 'access-1' })
    expect(account.asked).to.have.length(1)
    expect(await account.tokens()).to.include({ refresh_token: 'refresh-1' })
  })

  it('need a new sign-in when the vendor refuses, and every call says so from then on', async () => {
    const account = await openAccount()
    account.answers({ kind: 'refused', code: 'invalid_grant', body: {} })
    const first = await account.errorOf()
    expect(first).to.include({ code: 'credential_unusable' })
    expect(first?.message).to.contain('“work”').and.contain(account.id).and.contain('invalid_grant').and.contain('sign in')
    expect(await account.store.find(account.id)).to.include({ state: 'sign_in_needed' })
    expect((await account.errorOf())?.message).to.contain('sign in')
    expect(account.asked).to.have.length(1)
    await account.store.replace(account.id, { kind: 'account', access_token: 'signed-in-again' })
    expect(await account.open()).to.include({ secret: 'signed-in-again' })
  })

  it('are those of another node where that one was quicker', async () => {
    const account = await openAccount()
    account.answers({ kind: 'refused', code: 'invalid_grant', body: {} })
    account.meanwhile(async () => {
      await account.store.replace(account.id, { kind: 'account', access_token: 'of-the-other', refresh_token: 'refresh-9' })
    })
    expect(await account.open()).to.include({ secret: 'of-the-other' })
    expect(await account.store.find(account.id)).to.include({ state: 'ready' })
  })

  it('are used to their end where nobody can be asked, and not after it', async () => {
    const account = await openAccount()
    account.answers({ kind: 'unavailable', reason: 'it was not reached' })
    expect(await account.open()).to.include({ secret: 'access-0' })
    await account.clock.wait(60_000, { signal })
    expect((await account.errorOf())?.message).to.contain('it was not reached')
    expect(await account.store.find(account.id)).to.include({ state: 'ready' })
    account.answers(undefined)
    expect((await account.open()).secret).to.match(/^access-/)
  })

  it('end where there is nothing to renew them with', async () => {
    const account = await openAccount({ livesMs: -1, refreshToken: null })
    expect((await account.errorOf())?.message).to.contain('nothing to renew it with')
    expect(account.asked).to.have.length(0)
  })

  it('are not brought back when the credential is deleted meanwhile', async () => {
    const account = await openAccount()
    account.meanwhile(async () => void (await account.store.delete(account.id)))
    expect((await account.errorOf())?.message).to.contain('there is no managed credential')
    expect(await account.store.find(account.id)).to.equal(undefined)
  })

  it('are waited for by others when one who calls leaves', async () => {
    const account = await openAccount()
    const leave = new AbortController()
    account.meanwhile(async () => leave.abort(new Error('left')))
    const [left, stayed] = await Promise.allSettled([account.keeper.open(account.connection, { signal: leave.signal }), account.open()])
    expect(left.status === 'rejected' && String(left.reason)).to.contain('left')
    expect(stayed.status === 'fulfilled' && stayed.value.secret).to.equal('access-1')
  })

  it('are renewed when a call was refused, once for those that had the same ones', async () => {
    const account = await openAccount({ livesMs: 3_600_000 })
    const access = await account.open()
    expect(await Promise.all([1, 2, 3].map(() => account.keeper.renew(account.connection, access, { signal })))).to.deep.equal([
      true,
      true,
      true,
    ])
    expect(account.asked).to.have.length(1)
    expect(await account.keeper.renew(account.connection, access, { signal }), 'somebody came late').to.equal(true)
    expect(account.asked).to.have.length(1)
    expect(await account.keeper.renew(account.connection, { kind: 'api_key', secret: 'k' }, { signal })).to.equal(false)
  })
})

describe('a managed credential', () => {
  it('serves connections of its brand alone', async () => {
    const account = await openAccount()
    const error: unknown = await account.keeper
      .open({ ...account.connection, brandName: 'other' }, { signal })
      .catch((thrown: unknown) => thrown)
    expect(String(error)).to.contain('belongs to “house”').and.contain('“other”').and.contain(account.id)
  })

  it('shows nothing of a short key, and the end of a long one', async () => {
    const { store } = await openAccount()
    for (const [key, hint] of [
      ['short-key-1', ''],
      ['long-key-with-end', '-end'],
    ] as const)
      expect(await store.create({ brand: 'house', label: 'Key', payload: { kind: 'api_key', api_key: key } })).to.include({
        hint,
        kind: 'api_key',
      })
  })
})
