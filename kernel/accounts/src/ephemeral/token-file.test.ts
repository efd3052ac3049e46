import { getEventListeners } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { noActor } from '@agent-service/kernel-core/audit'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { createDisposableScope } from '@agent-service/sdk/host'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AuthUnderTest, codeOf, openAuthUnderTest, type SignedInBody } from '../testing/auth-under-test.js'
import { ownEphemeralTokens } from './own-ephemeral-tokens.js'

const actor = { kind: 'app', id: 'shop', purpose: 'app' } as const

describe('a token file', () => {
  let auth: AuthUnderTest
  let bob: SignedInBody
  let folder: string
  let ends: AbortController

  const keep = (more: { readonly folder?: string; readonly name?: string } = {}, tokens = auth.ephemeralTokens) =>
    tokens.keepTokenFile({ userId: bob.user.id, actor, folder, ...more }, ends.signal)
  /**
   * What the file has once that is another text and the next renewal is awaited; a renewal writes
   * to the disk, which no clock knows of.
   */
  const next = async (file: string, before: string): Promise<string> => {
    for (;;) {
      const now = await readFile(file, 'utf8')
      if (now !== before && auth.clock.pending() > 0) return now
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  beforeEach(async () => {
    auth = await openAuthUnderTest()
    await auth.register('ada')
    bob = await auth.register('bob')
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-token-'))
    ends = new AbortController()
  })
  afterEach(async () => {
    ends.abort()
    await endTestStores()
    await rm(folder, { recursive: true, force: true })
  })

  it('holds a token that counts, for its owner alone, and nothing else', async () => {
    const file = await keep()
    expect(file.path).to.equal(path.join(folder, 'token'))
    expect((await stat(file.path)).mode & 0o777).to.equal(0o600)
    expect((await auth.principal(await readFile(file.path, 'utf8'))).actor).to.deep.equal(actor)
    expect(await readdir(folder)).to.deep.equal(['token'])
  })

  it('is renewed when half of the time is over, again and again, under one grant', async () => {
    const file = await keep()
    const seen = [await readFile(file.path, 'utf8')]
    for (let renewal = 0; renewal < 3; renewal += 1) {
      await auth.clock.advance(150_000)
      seen.push(await next(file.path, seen.at(-1) ?? ''))
      // Both count for a while, so whoever has just read the old one is served.
      for (const token of seen.slice(-2)) expect((await auth.principal(token)).username).to.equal('bob')
      expect((await stat(file.path)).mode & 0o777).to.equal(0o600)
    }
    const grants = await Promise.all(seen.slice(-2).map(async (token) => (await auth.principal(token)).tokenId))
    expect(new Set(grants).size).to.equal(1)
    expect(await codeOf(auth.principal(seen[0] ?? ''))).to.equal('unauthenticated')
    expect(await readdir(folder)).to.deep.equal(['token'])
  })

  it('is gone when its process has ended, and so is every token that was in it', async () => {
    const file = await keep()
    const first = await readFile(file.path, 'utf8')
    await auth.clock.advance(150_000)
    const second = await next(file.path, first)
    ends.abort()
    expect(await file.ended).to.equal('aborted')
    expect(await readdir(folder)).to.deep.equal([])
    for (const token of [first, second]) expect(await codeOf(auth.principal(token))).to.equal('unauthenticated')
    expect(auth.clock.pending()).to.equal(0)
  })

  for (const [what, end] of [
    ['the user is disabled', () => auth.administration.change(bob.user.id, { disabled: true }, noActor)],
    ['the user is deleted', () => auth.administration.delete(bob.user.id, noActor)],
    ['an admin sets a password', () => auth.administration.change(bob.user.id, { password: 'battery staple' }, noActor)],
  ] as const) {
    it(`ends at once when ${what}, and says so`, async () => {
      const file = await keep()
      const token = await readFile(file.path, 'utf8')
      await end()
      expect(await file.ended).to.equal('account_ended')
      expect(await readdir(folder)).to.deep.equal([])
      expect(await codeOf(auth.principal(token))).to.equal('unauthenticated')
    })
  }

  for (const [what, change] of [
    ['disabled the user', { disabled: true }],
    ['set a password', { password: 'battery staple' }],
  ] as const) {
    it(`ends at its renewal when another process of the service has ${what}`, async () => {
      const file = await keep()
      const elsewhere = await openAuthUnderTest({ store: auth.store })
      await elsewhere.administration.change(bob.user.id, change, noActor)
      await auth.clock.advance(150_000)
      expect(await file.ended).to.equal('account_ended')
      expect(await readdir(folder)).to.deep.equal([])
    })
  }

  it('outlives a folder that cannot be written in for a while', async () => {
    const file = await keep()
    const first = await readFile(file.path, 'utf8')
    await rename(folder, `${folder}.away`)
    await auth.clock.advance(150_000)
    while (!auth.log.lines.some(({ level }) => level === 'warn')) await new Promise((resolve) => setImmediate(resolve))
    await rename(`${folder}.away`, folder)
    await auth.clock.advance(1_000)
    expect((await auth.principal(await next(file.path, first))).username).to.equal('bob')
  })

  it('replaces whatever stands in its place, and follows no link', async () => {
    const elsewhere = path.join(folder, 'precious')
    await writeFile(elsewhere, 'precious')
    const inner = path.join(folder, 'inner')
    await mkdir(inner, { mode: 0o700 })
    await symlink(elsewhere, path.join(inner, 'token'))
    const file = await keep({ folder: inner })
    expect(await readFile(elsewhere, 'utf8')).to.equal('precious')
    expect((await auth.principal(await readFile(file.path, 'utf8'))).username).to.equal('bob')
  })

  it('is refused in a folder that other users can write to, and needs a plain name', async () => {
    const open = path.join(folder, 'open')
    await mkdir(open)
    await chmod(open, 0o777)
    await symlink(open, path.join(folder, 'link'))
    await writeFile(path.join(folder, 'file'), '')
    for (const unsafe of [open, path.join(folder, 'link'), path.join(folder, 'file'), path.join(folder, 'absent'), 'relative'])
      expect(await codeOf(keep({ folder: unsafe })), unsafe).to.equal('token_folder_unsafe')
    for (const name of ['../token', 'a/b', '.hidden', '', 'a\u0000b', 'x'.repeat(65)])
      expect(await codeOf(keep({ name })), name).to.equal('token_folder_unsafe')
    expect(await readdir(open)).to.deep.equal([])
    expect(auth.clock.pending()).to.equal(0)
  })

  it('is not begun for a deleted user, or with an aborted signal', async () => {
    await auth.administration.delete(bob.user.id, noActor)
    expect(await codeOf(keep())).to.equal('not_found')
    ends.abort(new Error('Too late.'))
    expect(await keep().catch((error: unknown) => (error as Error).message)).to.equal('Too late.')
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('ends with the plugin that keeps it', async () => {
    const scope = createDisposableScope({ name: 'plugin' })
    const own = ownEphemeralTokens(auth.ephemeralTokens, scope)
    const [one, two] = [await keep({ name: 'one' }, own), await keep({ name: 'two' }, own)]
    expect(scope.holdings()).to.have.length(2)
    expect(await scope.dispose()).to.deep.equal([])
    expect(await Promise.all([one.ended, two.ended])).to.deep.equal(['aborted', 'aborted'])
    expect(await readdir(folder)).to.deep.equal([])
    expect(await codeOf(keep({}, own))).to.equal('scope_closed')
  })

  it('leaves nothing in the scope of its plugin', async () => {
    const scope = createDisposableScope({ name: 'plugin' })
    const file = await keep({}, ownEphemeralTokens(auth.ephemeralTokens, scope))
    ends.abort()
    await file.ended
    while (scope.holdings().length > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(scope.holdings()).to.deep.equal([])
  })

  it('listens at the signals of its plugin and of its caller while it is kept, and no longer', async () => {
    const scope = createDisposableScope({ name: 'plugin' })
    const listeners = (): readonly number[] => [scope.signal, ends.signal].map((signal) => getEventListeners(signal, 'abort').length)
    const own = ownEphemeralTokens(auth.ephemeralTokens, scope)
    const kept = await own.keepToken({ userId: bob.user.id, actor, replace: () => Promise.resolve() }, ends.signal)
    expect(listeners()).to.deep.equal([1, 1])
    await auth.administration.change(bob.user.id, { disabled: true }, noActor)
    await kept.ended
    expect(listeners()).to.deep.equal([0, 0])
    expect(await codeOf(keep({}, own))).to.equal('not_found')
    expect(listeners()).to.deep.equal([0, 0])
  })

  it('can be handed over instead: its successors come in time, and none counts after the end', async () => {
    const seen: string[] = []
    let fails = true
    const kept = await auth.ephemeralTokens.keepToken(
      {
        ...{ userId: bob.user.id, actor },
        async replace(token) {
          seen.push(token)
          if (fails) throw new Error('not now')
        },
      },
      ends.signal,
    )
    expect((await auth.principal(kept.token)).actor).to.deep.equal(actor)
    await auth.clock.advance(150_000)
    await eventually(() => seen.length === 1 && auth.clock.pending() > 0)
    fails = false
    await auth.clock.advance(1_000)
    await eventually(() => seen.length === 2)
    const grants = await Promise.all([kept.token, ...seen].map(async (token) => (await auth.principal(token)).tokenId))
    expect(new Set(grants).size).to.equal(1)
    ends.abort()
    expect(await kept.ended).to.equal('aborted')
    for (const token of [kept.token, ...seen]) expect(await codeOf(auth.principal(token))).to.equal('unauthenticated')
  })

  it('that was handed over ends with the account', async () => {
    const kept = await auth.ephemeralTokens.keepToken({ userId: bob.user.id, actor, replace: () => Promise.resolve() }, ends.signal)
    await auth.administration.change(bob.user.id, { disabled: true }, noActor)
    expect(await kept.ended).to.equal('account_ended')
  })
})
