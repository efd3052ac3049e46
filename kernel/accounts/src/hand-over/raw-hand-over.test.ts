import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { endTestStores } from '@agent-service/kernel-core/events/testing'
import type { ExternalIdentity } from '@agent-service/sdk/services/external-sign-in'
import { expect } from 'chai'
import type { RawCollection } from '../raw-data/index.js'
import { leftCollection, rawDataOf } from '../raw-data/testing/index.js'
import { handOvers } from '../records/records.js'
import { type AuthUnderTest, openAuthUnderTest } from '../testing/auth-under-test.js'

const ada: ExternalIdentity = { issuer: 'https://login.example', subject: 'ada', email: 'ada@example.org', emailVerified: true }
const origin = { address: '192.0.2.7', userAgent: 'browser', loopback: false }

describe('the hand-over of what plugins that are gone have left', () => {
  let auth: AuthUnderTest
  let usersFolder: string
  let left: readonly RawCollection[]
  let absent: readonly string[]
  let eve: string
  beforeEach(async () => {
    usersFolder = await mkdtemp(path.join(tmpdir(), 'hand-over-raw-'))
    left = []
    absent = []
    auth = await openAuthUnderTest({
      signInPolicy: { singleSignOn: true, localSignIn: true },
      usersFolder,
      absentPlugins: () => absent,
      rawData: rawDataOf(() => left),
    })
    await auth.register('owner')
    eve = (await auth.register('eve', { email: 'ada@example.org' })).user.id
  })
  afterEach(async () => {
    await endTestStores()
    await rm(usersFolder, { recursive: true })
  })

  const signIn = () => {
    if (!auth.externalSignIn) throw new Error('Single sign-on is off.')
    return auth.externalSignIn.signIn(ada, { origin, matchEmail: true, acceptUnverifiedEmail: true })
  }
  const runJob = () =>
    auth.jobs.find(({ id }) => id === 'kernel.hand-over-accounts')?.run({ signal: new AbortController().signal, epoch: 1 })
  const record = async () => {
    const [{ document } = { document: undefined }] = await auth.store.stored(handOvers)
    if (!document) throw new Error('There is no hand-over.')
    return document
  }
  const copyOf = async (name: string): Promise<string> =>
    readFile(path.join(usersFolder, 'eve', 'files', (await record()).folder, name), 'utf8')

  it('copies the documents into the files of the new holder, and takes them', async () => {
    const beds = leftCollection('garden.beds')
    beds.ids.set(eve, ['one', 'two']).set('another', ['mine'])
    left = [beds]
    const { handOver } = await signIn()
    expect(handOver?.items.map((item) => ({ ...item }))).to.deep.equal([{ what: 'raw garden.beds', count: 2, outcome: 'set_aside' }])
    expect([...beds.ids]).to.deep.equal([['another', ['mine']]])
    expect(await copyOf('raw-garden.beds.ndjson')).to.equal(
      `{"path":"one.json","json":{"id":"one","user_id":"${eve}"}}\n{"path":"two.json","json":{"id":"two","user_id":"${eve}"}}\n`,
    )
    expect(await record()).to.deep.include({ open: false, awaits: [] })
  })

  it('waits for a plugin that is switched off, and for one that is removed then no longer', async () => {
    const beds = leftCollection('garden.beds', { state: 'disabled', isAwaited: true })
    beds.ids.set(eve, ['one'])
    left = [beds]
    absent = ['garden']
    await signIn()
    expect([...beds.ids.keys()]).to.deep.equal([eve])
    expect(await record()).to.deep.include({ open: true, awaits: ['garden'] })
    left = [{ ...beds, state: 'gone', isAwaited: false }]
    absent = []
    await runJob()
    expect([...beds.ids.keys()]).to.deep.equal([])
    expect(await copyOf('raw-garden.beds.ndjson')).to.include('"one"')
    expect(await record()).to.deep.include({ open: false, awaits: [] })
  })

  it('waits for a plugin that may be in a source that cannot be read, and takes what is left once it is gone for sure', async () => {
    const beds = leftCollection('garden.beds', { state: 'unknown', isAwaited: true })
    beds.ids.set(eve, ['one'])
    left = [beds]
    await signIn()
    expect([...beds.ids.keys()]).to.deep.equal([eve])
    expect(await record()).to.deep.include({ open: true, awaits: ['garden'] })
    left = [{ ...beds, state: 'gone', isAwaited: false }]
    await runJob()
    expect([...beds.ids.keys()]).to.deep.equal([])
    expect(await copyOf('raw-garden.beds.ndjson')).to.include('"one"')
    expect(await record()).to.deep.include({ open: false, awaits: [] })
  })

  it('takes nothing that the new holder has stored since with a plugin that is gone by now', async () => {
    absent = ['lamp']
    await signIn()
    const beds = leftCollection('garden.beds')
    beds.ids.set(eve, ['of the new holder'])
    left = [beds]
    await runJob()
    expect([...beds.ids.keys()]).to.deep.equal([eve])
    expect(await record()).to.deep.include({ open: true, awaits: ['lamp'] })
  })
})
