import type { CredentialContent, OAuthClient } from '@agent-service/sdk/services/credentials'
import { expect } from 'chai'
import { client, errorOf, openService, owner } from '../test-support/open-service.js'

const { signal } = new AbortController()
const reference = { owner, id: 'account' }

/** A service with one account, whose access token lives for a minute by default. */
async function openAccount(
  options: { readonly livesMs?: number; readonly refreshToken?: string | null; readonly client?: Partial<OAuthClient> } = {},
) {
  const service = openService()
  const credentials = service.of('plugin-a')
  const { livesMs = 60_000, refreshToken = 'refresh-0' } = options
  const content: CredentialContent = {
    kind: 'oauth',
    client: { ...client, ...options.client },
    tokens: {
      accessToken: 'access-0',
      expiresAt: service.clock.now() + livesMs,
      ...(refreshToken !== null && { refreshToken }),
    },
  }
  await credentials.create({ ...reference, purpose: 'mail', label: 'Mine', content })
  return {
    ...service,
    credentials,
    open: (refused?: string) => credentials.open(reference, { signal, ...(refused !== undefined && { refused }) }),
    tokens: async () => {
      const entry = await service.store.open({ pluginId: 'plugin-a', ...reference })
      return entry?.content.kind === 'oauth' ? entry.content.tokens : undefined
    },
  }
}

describe('the tokens of a credential', () => {
  it('are used until shortly before they expire', async () => {
    const { open, asked } = await openAccount({ livesMs: 3_600_000 })
    expect(await open()).to.deep.equal({ kind: 'oauth', accessToken: 'access-0', expiresAt: 3_600_000 })
    expect(asked).to.have.length(0)
  })

  it('are renewed before they expire, once for a hundred callers, and stored with the next refresh token', async () => {
    const { open, asked, tokens, secrets } = await openAccount()
    const opened = await Promise.all(Array.from({ length: 100 }, () => open()))
    expect(new Set(opened.map((usable) => usable.kind === 'oauth' && usable.accessToken))).to.deep.equal(new Set(['access-1']))
    expect(asked.map(({ form }) => form)).to.deep.equal([{ grant_type: 'refresh_token', refresh_token: 'refresh-0' }])
    expect(await tokens()).to.include({ accessToken: 'access-1', refreshToken: 'refresh-1' })
    expect(secrets.protectedValues).to.include.members(['access-0', 'refresh-0', 'access-1', 'refresh-1'])
  })

  it('are not renewed at each call if they are short-lived', async () => {
    const { open, answers, asked, clock } = await openAccount()
    answers({ kind: 'answer', body: { access_token: 'short', expires_in: 40 } })
    for (let call = 0; call < 3; call += 1) expect(await open()).to.include({ accessToken: 'short' })
    expect(asked).to.have.length(1)
    await clock.wait(29_000, { signal })
    await open()
    expect(asked).to.have.length(1)
    await clock.wait(1_000, { signal })
    await open()
    expect(asked).to.have.length(2)
  })

  it('are renewed by one of several processes while the others wait', async () => {
    const account = await openAccount()
    account.database.shared = true
    const others = Array.from({ length: 3 }, () => openService({ database: account.database }))
    // The server responds once the others have found the claim.
    account.meanwhile(async () => {
      while (others.some(({ clock }) => clock.waits.length === 0)) await new Promise((resolve) => setImmediate(resolve))
    })
    const first = account.open()
    while (account.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const opened = await Promise.all([first, ...others.map(({ of }) => of('plugin-a').open(reference, { signal }))])
    expect(opened.map((usable) => usable.kind === 'oauth' && usable.accessToken)).to.deep.equal(Array(4).fill('access-1'))
    expect(account.asked).to.have.length(1)
    for (const { asked } of others) expect(asked).to.have.length(0)
  })

  it('are not requested if they could not be stored', async () => {
    const { open, asked, database } = await openAccount()
    database.refuse = new Error('the disk is full')
    expect(await open(), 'the old ones have not ended').to.include({ accessToken: 'access-0' })
    expect(asked, 'the server would take the old refresh token no longer').to.have.length(0)
  })

  it('survive a store that fails for a while, and are not returned before they are stored', async () => {
    const { open, asked, database, meanwhile, tokens } = await openAccount({ livesMs: 1 })
    meanwhile(async () => {
      database.refuse = new Error('the disk is full')
    })
    expect(await open()).to.include({ accessToken: 'access-0' })
    database.refuse = undefined
    expect(await open()).to.include({ accessToken: 'access-1' })
    expect(asked).to.have.length(1)
    expect(await tokens()).to.include({ refreshToken: 'refresh-1' })
  })

  it('are requested again after a process crashed during a renewal, if the server allows it', async () => {
    const { database, meanwhile, open } = await openAccount()
    meanwhile(async () => {
      database.refuse = new Error('the process ended')
    })
    await open()
    database.refuse = undefined
    const next = openService({ database })
    expect(await next.of('plugin-a').open(reference, { signal })).to.include({ accessToken: 'access-1' })
    expect(next.asked.map(({ form }) => form['refresh_token'])).to.deep.equal(['refresh-0'])
  })

  it('need a new sign-in after such a crash if the server has rotated them, with a reason', async () => {
    const { database, meanwhile, open } = await openAccount()
    meanwhile(async () => {
      database.refuse = new Error('the process ended')
    })
    await open()
    database.refuse = undefined
    const next = openService({ database })
    next.answers({ kind: 'refused', code: 'invalid_grant', body: {} })
    const credentials = next.of('plugin-a')
    const error = await errorOf(credentials.open(reference, { signal }))
    expect(error).to.include({ code: 'reauthentication_required' })
    expect(error.message).to.contain('refresh_interrupted').and.contain('Sign in')
    expect(await credentials.get(reference)).to.include({ state: 'reauthentication_required', reason: 'refresh_interrupted' })
    await errorOf(credentials.open(reference, { signal }))
    expect(next.asked, 'a refused refresh token is not sent again').to.have.length(1)
  })

  it('need a new sign-in if the server refuses, and every call fails until then', async () => {
    const { open, answers, asked, credentials, log } = await openAccount()
    answers({ kind: 'refused', code: 'invalid_grant', body: { error_description: 'secret words' } })
    expect(await errorOf(open())).to.include({ code: 'reauthentication_required' })
    expect(await credentials.get(reference)).to.include({ state: 'reauthentication_required', reason: 'invalid_grant' })
    expect((await errorOf(open())).message).to.contain('invalid_grant')
    expect(asked).to.have.length(1)
    expect(log.lines.join()).to.contain('needs a new sign-in').and.not.contain('refresh-0').and.not.contain('secret words')
    await credentials.replace(reference, { kind: 'oauth', client, tokens: { accessToken: 'signed-in-again' } })
    expect(await open()).to.include({ accessToken: 'signed-in-again' })
    expect(await credentials.get(reference))
      .to.include({ state: 'ready' })
      .and.not.have.property('reason')
  })

  it('are those of a new sign-in that finished first', async () => {
    const { open, answers, meanwhile, credentials } = await openAccount()
    answers({ kind: 'refused', code: 'invalid_grant', body: {} })
    meanwhile(async () => {
      await credentials.replace(reference, { kind: 'oauth', client, tokens: { accessToken: 'new', refreshToken: 'r' } })
    })
    expect(await open()).to.include({ accessToken: 'new' })
    expect(await credentials.get(reference)).to.include({ state: 'ready' })
  })

  it('are used until they expire while the server is unavailable', async () => {
    const { open, answers, clock, credentials } = await openAccount()
    answers({ kind: 'unavailable', reason: 'it could not be reached' })
    expect(await open()).to.include({ accessToken: 'access-0' })
    await clock.wait(60_000, { signal })
    const error = await errorOf(open())
    expect(error).to.include({ code: 'credential_unavailable' })
    expect(error.message).to.contain('it could not be reached')
    expect(await credentials.get(reference)).to.include({ state: 'ready' })
    answers(undefined)
    expect(await open())
      .to.have.property('accessToken')
      .that.matches(/^access-[1-9]/)
  })

  it('expire if there is nothing to renew them with', async () => {
    const { open, asked, clock, credentials } = await openAccount({ refreshToken: null })
    expect(await open(), 'they have a minute left').to.include({ accessToken: 'access-0' })
    expect(await credentials.get(reference)).to.include({ state: 'ready' })
    await clock.wait(60_000, { signal })
    expect((await errorOf(open())).message).to.contain('expired')
    expect(await credentials.get(reference)).to.include({ state: 'reauthentication_required', reason: 'expired' })
    expect(asked).to.have.length(0)
  })

  it('are not stored if the credential is deleted meanwhile', async () => {
    const { open, meanwhile, credentials } = await openAccount()
    meanwhile(async () => void (await credentials.delete(reference)))
    expect(await errorOf(open())).to.include({ code: 'credential_not_found' })
    expect(await credentials.get(reference)).to.equal(undefined)
  })

  it('are renewed for the other callers when one is aborted', async () => {
    const { open, meanwhile, credentials } = await openAccount()
    const leave = new AbortController()
    meanwhile(async () => leave.abort(new Error('left')))
    const [left, stayed] = await Promise.allSettled([credentials.open(reference, { signal: leave.signal }), open()])
    expect(left.status === 'rejected' && String(left.reason)).to.contain('left')
    expect(stayed.status === 'fulfilled' && stayed.value).to.include({ accessToken: 'access-1' })
  })

  it('are renewed when a call was refused, once for all callers with the same token', async () => {
    const { open, asked } = await openAccount({ livesMs: 3_600_000 })
    const opened = await Promise.all([1, 2, 3].map(() => open('access-0')))
    for (const usable of opened) expect(usable).to.include({ accessToken: 'access-1' })
    expect(await open('access-0'), 'a call came late').to.include({ accessToken: 'access-1' })
    expect(asked).to.have.length(1)
  })

  it('are requested by the client itself with client credentials', async () => {
    const service = openService()
    const credentials = service.of('plugin-a')
    const machine: OAuthClient = { ...client, clientSecret: 'secret-of-it', renewal: 'client_credentials', scopes: ['read'] }
    await credentials.create({ ...reference, purpose: 'mail', label: 'Robot', content: { kind: 'oauth', client: machine } })
    const opened = await Promise.all(Array.from({ length: 10 }, () => credentials.open(reference, { signal })))
    for (const usable of opened) expect(usable).to.include({ accessToken: 'access-1' })
    expect(service.asked.map(({ form }) => form)).to.deep.equal([{ grant_type: 'client_credentials', scope: 'read' }])
    expect(service.secrets.protectedValues).to.include('secret-of-it')
  })

  it('are requested with resource and scopes', async () => {
    const { open, asked } = await openAccount({ client: { resource: 'https://mcp.test', scopes: ['a', 'b'] } })
    await open()
    expect(asked[0]?.form).to.include({ resource: 'https://mcp.test', scope: 'a b' })
  })
})
