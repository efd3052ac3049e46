import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDurableFileSystem } from '@agent-service/kernel-core/disk'
import type { StateDocuments } from '@agent-service/kernel-core/state-documents'
import { expect } from 'chai'
import { createStateDocuments } from '../state-documents/index.js'
import { openSetUp, type SetUp, setUpNotWrittenError } from './open-set-up.js'

describe('set-up', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'set-up-'))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  const start = (installation: 'fresh' | 'existing', openChoices: readonly string[] = ['memory.backend']): Promise<SetUp> =>
    openSetUp({ stateDocuments: createStateDocuments(folder, createDurableFileSystem()), configuration: { installation, openChoices } })

  it('keeps the result of the first start', async () => {
    expect((await start('fresh')).installation).to.equal('fresh')
    expect(JSON.parse(await readFile(path.join(folder, 'set-up.json'), 'utf8'))).to.deep.equal({ installation: 'fresh', chosen: [] })
    const second = await start('existing')
    expect([second.installation, ...second.open()]).to.deep.equal(['fresh', 'memory.backend'])
  })

  it('has no open settings on an existing installation, now or later', async () => {
    expect((await start('existing')).open()).to.deep.equal([])
    expect((await start('fresh')).open()).to.deep.equal([])
  })

  it('refuses a folder that is not writable', async () => {
    const stateDocuments: StateDocuments = {
      open: async ({ initial }) => ({
        read: () => initial,
        update: () => Promise.reject(new Error("EACCES: permission denied, mkdir '/srv/data/system'")),
      }),
    }
    const opening = openSetUp({ stateDocuments, configuration: { installation: 'fresh', openChoices: [] } })
    const error: unknown = await opening.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(setUpNotWrittenError.isInstance(error)).to.equal(true)
    expect(String(error)).to.contain('/srv/data/system')
  })

  it('ends when all settings are chosen, in whatever way, also after a restart', async () => {
    const first = await start('fresh', ['memory.backend', 'sandbox.driver'])
    await first.choose(['memory.backend', 'server.port'])
    await first.choose(['memory.backend'])
    expect(first.open()).to.deep.equal(['sandbox.driver'])
    expect((await start('existing', ['memory.backend'])).open()).to.deep.equal([])
    expect((await start('existing', [])).open()).to.deep.equal([])
    expect(JSON.parse(await readFile(path.join(folder, 'set-up.json'), 'utf8')))
      .to.have.property('chosen')
      .that.deep.equals(['memory.backend'])
  })
})
