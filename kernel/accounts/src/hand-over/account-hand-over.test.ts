import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import { ContributionRegistry } from '@agent-service/kernel-core/plugins/contributions'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import { defineUserData, type UserData, userData } from '@agent-service/sdk/contracts/user-data'
import type { ExternalIdentity } from '@agent-service/sdk/services/external-sign-in'
import { expect } from 'chai'
import { handOvers, knownAddresses } from '../records/records.js'
import { type AuthUnderTest, codeOf, openAuthUnderTest } from '../testing/auth-under-test.js'

const ada: ExternalIdentity = { issuer: 'https://login.example', subject: 'ada', email: 'ada@example.org', emailVerified: true }
const origin = { address: '192.0.2.7', userAgent: 'browser', loopback: false }

/** Notes of users, as a plugin that knows nothing of hand-overs keeps them. */
function notesOf(notes: Map<string, readonly string[]>, more: Partial<UserData> = {}): UserData {
  return defineUserData({
    id: 'notes',
    collections: [],
    async *export(userId) {
      for (const [index, text] of (notes.get(userId) ?? []).entries()) yield { path: `notes/${index}.json`, json: { text } }
    },
    erase: async (userId) => void notes.delete(userId),
    size: async (userId) => ({ records: notes.get(userId)?.length ?? 0, bytes: 1 }),
    ...more,
  })
}

describe('the hand-over of an account whose address was never confirmed', () => {
  let auth: AuthUnderTest
  let contributions: ContributionRegistry
  let usersFolder: string
  let absent: readonly string[]
  let notes: Map<string, readonly string[]>

  const contribute = (pluginId: string, ...parts: readonly UserData[]) =>
    contributions.admit(
      pluginId,
      parts.map((value) => ({ point: userData.id, key: value.id, value })),
    )
  const signIn = (identity = ada) => {
    if (!auth.externalSignIn) throw new Error('Single sign-on is off.')
    return auth.externalSignIn.signIn(identity, { origin, matchEmail: true, acceptUnverifiedEmail: true })
  }
  const runJob = () =>
    auth.jobs.find(({ id }) => id === 'kernel.hand-over-accounts')?.run({ signal: new AbortController().signal, epoch: 1 }) ??
    Promise.resolve()
  const itemsOf = ({ handOver }: Awaited<ReturnType<typeof signIn>>) => handOver?.items.map((item) => ({ ...item }))

  beforeEach(async () => {
    usersFolder = await mkdtemp(path.join(tmpdir(), 'hand-over-'))
    const log = createRecordingLog()
    contributions = new ContributionRegistry(createControlledClock(), log)
    contributions.settle()
    absent = []
    notes = new Map()
    auth = await openAuthUnderTest({
      signInPolicy: { singleSignOn: true, localSignIn: true },
      contributions,
      usersFolder,
      absentPlugins: () => absent,
    })
    await auth.register('owner')
  })
  afterEach(async () => {
    await endTestStores()
    await rm(usersFolder, { recursive: true })
  })

  it('takes away what a plugin keeps that knows nothing of it, with a copy in the files of the account', async () => {
    contribute('notes', notesOf(notes))
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one', 'two']).set('another', ['mine'])
    const signedIn = await signIn()
    expect(signedIn.userId).to.equal(eve.user.id)
    expect([...notes]).to.deep.equal([['another', ['mine']]])
    expect(itemsOf(signedIn)).to.deep.equal([{ what: 'notes', count: 2, outcome: 'set_aside' }])
    const folder = path.join(usersFolder, 'eve', 'files', signedIn.handOver?.folder ?? '')
    const lines = (await readFile(path.join(folder, 'notes.ndjson'), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).to.deep.equal([
      { path: 'notes/0.json', json: { text: 'one' } },
      { path: 'notes/1.json', json: { text: 'two' } },
    ])
    const { json } = await auth.call('listAuditEvents', { query: { limit: 200 } })
    const { items } = json as { readonly items: readonly { readonly kind: string; readonly details: object }[] }
    expect(items.find(({ kind }) => kind === 'account.handed_over')?.details).to.deep.equal({
      items: [{ part: 'notes', what: 'notes', count: 2, outcome: 'set_aside' }],
    })
  })

  it('says the same at every later sign-in, and touches nothing of the new holder', async () => {
    contribute('notes', notesOf(notes))
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    const first = await signIn()
    notes.set(eve.user.id, ['of the owner'])
    await runJob()
    const second = await signIn()
    expect(second.handOver).to.deep.equal(first.handOver)
    expect(notes.get(eve.user.id)).to.deep.equal(['of the owner'])
  })

  it('copies every part before it takes one away, since a plugin may erase what another one keeps', async () => {
    const eraser = notesOf(new Map(), { id: 'eraser', erase: async (userId) => void notes.delete(userId) })
    contribute('eraser', eraser)
    contribute('notes', notesOf(notes))
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    expect(itemsOf(await signIn())).to.deep.equal([{ what: 'notes', count: 1, outcome: 'set_aside' }])
  })

  it('has each part decide what stays', async () => {
    contribute('notes', notesOf(notes, { handOver: async () => [{ what: 'notes', count: 1, outcome: 'kept' }] }))
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    expect(itemsOf(await signIn())).to.deep.equal([{ what: 'notes', count: 1, outcome: 'kept' }])
    expect(notes.get(eve.user.id)).to.deep.equal(['one'])
    expect(await readdir(usersFolder)).to.deep.equal([])
  })

  it('takes away what a part at work adds to one that was handed over before it', async () => {
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    // In the order of their names, the notes are handed over first.
    let isAtWork = true
    const atWork = notesOf(new Map(), {
      id: 'runs',
      async handOver(userId) {
        if (isAtWork) notes.set(userId, ['by a run'])
        isAtWork = false
        return []
      },
    })
    contribute('notes', notesOf(notes))
    contribute('runs', atWork)
    expect(itemsOf(await signIn())).to.deep.equal([{ what: 'notes', count: 2, outcome: 'set_aside' }])
    expect(notes.size).to.equal(0)
  })

  it('lets nobody in while a part fails, and goes on later where it was', async () => {
    let fails = true
    const handOver: UserData['handOver'] = async () => {
      if (fails) throw new Error('the disk is full')
      return [{ what: 'channels', count: 1, outcome: 'ended' }]
    }
    const erased: string[] = []
    const erase: UserData['erase'] = async (userId) => {
      erased.push(userId)
      notes.delete(userId)
    }
    contribute('notes', notesOf(notes, { erase }))
    contribute('channels', notesOf(new Map(), { id: 'channels', handOver }))
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    for (const _time of [1, 2]) expect(await codeOf(signIn())).to.equal('hand_over_incomplete')
    const { json } = await auth.call('listSessionsOfUser', { params: { user_id: eve.user.id }, principal: await ownerOf(auth) })
    expect(json).to.deep.include({ items: [] })
    expect(notes.has(eve.user.id)).to.equal(false)
    expect(erased, 'what is done is not done again').to.deep.equal([eve.user.id])
    fails = false
    await runJob()
    expect(itemsOf(await signIn())).to.have.deep.members([
      { what: 'channels', count: 2, outcome: 'ended' },
      { what: 'notes', count: 1, outcome: 'set_aside' },
    ])
  })

  it('hands over what a plugin has that does not run when it runs again, and nothing of a new plugin', async () => {
    absent = ['notes']
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    expect(itemsOf(await signIn())).to.deep.equal([])
    const later = new Map([[eve.user.id, ['of the owner']]])
    contribute('notes', notesOf(notes))
    contribute('journal', notesOf(later, { id: 'journal' }))
    await runJob()
    expect([notes.size, later.size]).to.deep.equal([0, 1])
    expect(itemsOf(await signIn())).to.deep.equal([{ what: 'notes', count: 1, outcome: 'set_aside' }])
  })

  it('copies and takes what a plugin has that starts while others are handed over', async () => {
    const late = new Map<string, readonly string[]>()
    absent = ['journal']
    let hasStarted = false
    const erase: UserData['erase'] = async (userId) => {
      notes.delete(userId)
      if (!hasStarted) contribute('journal', notesOf(late, { id: 'journal' }))
      hasStarted = true
    }
    contribute('notes', notesOf(notes, { erase }))
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    late.set(eve.user.id, ['two'])
    expect(itemsOf(await signIn())).to.have.deep.members([
      { what: 'notes', count: 1, outcome: 'set_aside' },
      { what: 'journal', count: 1, outcome: 'set_aside' },
    ])
    expect(late.size).to.equal(0)
    expect((await auth.store.stored(handOvers))[0]?.document).to.include({ open: false })
  })

  it('keeps nobody out for a plugin that comes back later, and takes nothing from it without a copy', async () => {
    absent = ['notes']
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    const { handOver } = await signIn()
    let fails = true
    const erase: UserData['erase'] = async (userId) => {
      if (fails) throw new Error('the disk is full')
      notes.delete(userId)
    }
    contribute('notes', notesOf(notes, { erase }))
    await runJob()
    expect((await signIn()).userId).to.equal(eve.user.id)
    notes.set(eve.user.id, ['one', 'of the owner'])
    fails = false
    await runJob()
    expect(notes.size).to.equal(0)
    const copy = await readFile(path.join(usersFolder, 'eve', 'files', handOver?.folder ?? '', 'notes.ndjson'), 'utf8')
    expect(copy).to.include('of the owner')
  })

  it('waits for plugins that are about to start', async () => {
    const starting = new ContributionRegistry(createControlledClock(), auth.log)
    const { store } = auth
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    absent = ['notes']
    auth = await openAuthUnderTest({
      store,
      signInPolicy: { singleSignOn: true, localSignIn: true },
      contributions: starting,
      usersFolder,
      absentPlugins: () => absent,
    })
    const settled = starting.settled.bind(starting)
    const asked = new Promise<void>((resolve) => {
      starting.settled = (point) => {
        resolve()
        return settled(point)
      }
    })
    const signingIn = signIn()
    await asked
    contributions = starting
    contribute('notes', notesOf(notes))
    starting.settle()
    expect(itemsOf(await signingIn)).to.deep.equal([{ what: 'notes', count: 1, outcome: 'set_aside' }])
  })

  it('keeps nobody out for what a program puts in the place of a copy, and follows no link', async () => {
    const folderOf = async (): Promise<string> => {
      const [{ document } = { document: undefined }] = await auth.store.stored(handOvers)
      return path.join(usersFolder, 'eve', 'files', document?.folder ?? '')
    }
    const other = await mkdtemp(path.join(tmpdir(), 'hand-over-other-'))
    const early = notesOf(new Map(), {
      id: 'early',
      async *export() {
        const folder = await folderOf()
        await mkdir(path.dirname(folder), { recursive: true })
        await symlink(other, folder).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error
        })
        yield { path: 'early.json', json: 1 }
        await mkdir(path.join(folder, 'notes.ndjson'), { recursive: true })
      },
    })
    contribute('early', early)
    contribute('notes', notesOf(notes))
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    notes.set(eve.user.id, ['one'])
    await signIn()
    const copies = await readdir(await folderOf())
    expect(copies.find((name) => /^notes-[0-9a-f]{8}\.ndjson$/.test(name))).to.be.a('string')
    expect(await readdir(other)).to.deep.equal([])
    await rm(other, { recursive: true })
  })

  it('does not happen to an account whose address a provider has verified', async () => {
    contribute('notes', notesOf(notes))
    const first = await signIn({ ...ada, issuer: 'https://former.example' })
    notes.set(first.userId, ['mine'])
    const second = await signIn()
    expect([second.userId, second.handOver, notes.get(first.userId)]).to.deep.equal([first.userId, undefined, ['mine']])
  })

  it('forgets where the former holder signed in', async () => {
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    await auth.call('login', { body: { username: 'eve', password: 'eve-secret-1' }, address: '198.51.100.9' })
    const known = async () => (await auth.store.stored(knownAddresses)).filter(({ document }) => document.user_id === eve.user.id).length
    expect(await known()).to.equal(2)
    await signIn()
    expect(await known(), 'where the new holder is').to.equal(1)
  })

  it('stops with the deletion of the account', async () => {
    contribute('notes', notesOf(notes, { handOver: async () => Promise.reject(new Error('never')) }))
    const eve = await auth.register('eve', { email: 'ada@example.org' })
    expect(await codeOf(signIn())).to.equal('hand_over_incomplete')
    await auth.administration.delete(eve.user.id, { userId: null, address: null })
    for (const data of auth.userData) await data.erase(eve.user.id, { signal: new AbortController().signal })
    await runJob()
    expect(await auth.store.stored(handOvers)).to.deep.equal([])
  })
})

async function ownerOf(auth: AuthUnderTest) {
  const { json } = await auth.call('login', { body: { username: 'owner', password: 'own-secret-1' } })
  return auth.principal((json as { readonly access_token: string }).access_token)
}
