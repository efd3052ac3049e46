import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { backupFormat, names } from '../archive/layout.js'
import { makeBackup } from '../make/make-backup.js'
import { type ForgedEntry, forgeArchive } from '../testing/forged-archive.js'
import { createSmallService, type SmallService } from '../testing/small-service.js'
import { restoreBackup } from './restore-backup.js'
import { readJournal, refuseUnfinishedRestore, writeJournal } from './restore-journal.js'

const { signal } = new AbortController()

describe('restoring a backup', () => {
  let service: SmallService
  let file: string

  beforeEach(async () => {
    service = await createSmallService()
    file = join(service.folder, 'backup.tar')
    await service.write('users/ada/files/letter.txt', 'Dear Bob')
    await service.write('system/plugins.json', '{"disabled":[]}')
    await service.write('skills/weather/SKILL.md', '# Weather')
  })
  afterEach(() => service.remove())

  const failure = async (options = {}): Promise<unknown> =>
    restoreBackup(file, service.places, options).then(
      () => 'restored',
      (error: { readonly code?: string }) => error.code,
    )
  const restoredText = (path: string): Promise<string> => readFile(join(service.places.dataFolder, path), 'utf8')

  it('puts everything in its place, and leaves nothing else', async () => {
    await makeBackup(service.sources, file, { signal })
    const { summary, configuration } = await restoreBackup(file, service.places)
    expect(summary).to.include({ files: 3 })
    expect(configuration).to.equal(service.places.configurationFile)
    expect(await restoredText('users/ada/files/letter.txt')).to.equal('Dear Bob')
    expect(await restoredText('system/plugins.json')).to.equal('{"disabled":[]}')
    expect(await restoredText('skills/weather/SKILL.md')).to.equal('# Weather')
    expect(await restoredText('db/store.paper')).to.equal('rows')
    expect(await restoredText('config.yaml')).to.include('port: 4000')
    expect((await readdir(service.places.dataFolder)).sort()).to.deep.equal(['config.yaml', 'db', 'skills', 'system', 'users'])
    expect((await stat(join(service.places.dataFolder, 'users', 'ada'))).mode & 0o077).to.equal(
      (await stat(join(service.sources.dataFolder, 'users', 'ada'))).mode & 0o077,
    )
  })

  it('is refused over anything that is there, and leaves it alone', async () => {
    await makeBackup(service.sources, file, { signal })
    await restoreBackup(file, service.places)
    expect(await failure()).to.equal('backup_refused')
    await rm(service.places.databaseFolder, { recursive: true })
    expect(await failure()).to.equal('backup_refused')
    await writeFile(join(service.places.dataFolder, 'users/ada/files/letter.txt'), 'mine')
    expect(await failure({ databaseOnly: true })).to.equal('restored')
    expect(await restoredText('users/ada/files/letter.txt')).to.equal('mine')
  })

  it('keeps the configuration file that is there, and puts the other one beside it', async () => {
    await makeBackup(service.sources, file, { signal })
    await mkdir(service.places.dataFolder)
    await writeFile(service.places.configurationFile, 'mine')
    const { configuration } = await restoreBackup(file, service.places)
    expect(configuration).to.equal(join(service.places.dataFolder, 'config.from-backup.yaml'))
    expect(await restoredText('config.yaml')).to.equal('mine')
  })

  it('is refused for another driver, another secret and damage, before anything appears', async () => {
    await makeBackup(service.sources, file, { signal })
    const other = (change: object) =>
      restoreBackup(file, { ...service.places, ...change }).catch((error: { readonly code?: string }) => error.code)
    expect(await other({ driver: 'sqlite' })).to.equal('backup_refused')
    expect(await other({ encryptionSecret: 'another' })).to.equal('backup_secret_wrong')
    const content = await readFile(file)
    await writeFile(file, content.subarray(0, -512))
    expect(await failure()).to.equal('backup_invalid')
    expect(await readdir(service.places.dataFolder)).to.deep.equal(['db'])
    await writeFile(file, content)
    const wrong = { ...service.places, encryptionSecret: 'another' }
    expect((await restoreBackup(file, wrong, { anySecret: true, acceptUnproven: true })).summary).to.include({ files: 3 })
  })

  it('goes on where it was killed while it moved its parts, and no service starts before', async () => {
    await makeBackup(service.sources, file, { signal })
    await restoreBackup(file, service.places)
    const { dataFolder, databaseFolder } = service.places
    // As a kill after the first move leaves it.
    const staged = join(dataFolder, `.db.restoring-${'0'.repeat(36)}`)
    await rename(databaseFolder, staged)
    await writeJournal(dataFolder, {
      moves: [
        { from: join(dataFolder, `.users.restoring-${'0'.repeat(36)}`), to: join(dataFolder, 'users') },
        { from: staged, to: databaseFolder, replaced: join(dataFolder, `.db.replaced-${'0'.repeat(36)}`) },
      ],
    })
    const refused = await refuseUnfinishedRestore(dataFolder).catch((error: { readonly code?: string }) => error.code)
    expect(refused).to.equal('restore_unfinished')
    expect((await restoreBackup(file, service.places)).summary).to.equal(undefined)
    expect(await readJournal(dataFolder)).to.equal(undefined)
    expect(await restoredText('db/store.paper')).to.equal('rows')
    expect((await readdir(dataFolder)).filter((name) => name.startsWith('.'))).to.deep.equal([])
  })

  it('removes what one that was killed before has left, and begins anew', async () => {
    await makeBackup(service.sources, file, { signal })
    await mkdir(join(service.places.dataFolder, `.users.restoring-${'0'.repeat(36)}`, 'ada'), { recursive: true })
    await restoreBackup(file, service.places)
    expect((await readdir(service.places.dataFolder)).filter((name) => name.startsWith('.'))).to.deep.equal([])
  })

  describe('made with hostile entries and correct digests', () => {
    const forge = (entries: readonly Omit<ForgedEntry, 'content'>[], format = 2): Promise<void> => {
      const head = { kind: 'agent-service backup', format, created_at: '', service_version: '9', driver: 'paper', secret_check: '' }
      const contentOf = (type: ForgedEntry['type']): Buffer => Buffer.from(type === 'File' ? 'evil' : '')
      return forgeArchive(file, {
        entries: [
          { path: names.header, content: Buffer.from(JSON.stringify(head)) },
          ...entries.map((entry) => ({ ...entry, content: contentOf(entry.type) })),
        ],
      })
    }
    const anything = { anySecret: true, acceptUnproven: true }

    it('is restored if they are harmless, so that the others are refused for what they are', async () => {
      await forge([{ path: 'users/ada/files/a', type: 'File' }])
      expect(await failure(anything)).to.equal('restored')
    })

    for (const path of [
      '/etc/evil',
      '../evil',
      'users/../../evil',
      'users//evil',
      'users/./evil',
      'elsewhere/evil',
      'Users/ada/files/evil',
      'users',
      'configuration/evil.yaml',
      'configuration/config.yaml/evil',
      'system/backups/evil.tar',
      'BACKUP.json',
      'manifest.jsonl.',
      'man\u0131fest.jsonl',
      'users/a\0b',
      `users/${'x'.repeat(300)}`,
      'C:\\evil',
    ])
      it(`is refused with the path ${JSON.stringify(path.slice(0, 30))}`, async () => {
        await forge([{ path, type: 'File' }])
        expect(await failure(anything)).to.equal('backup_invalid')
        expect((await readdir(service.folder)).sort()).to.deep.equal(['backup.tar', 'data', 'new'])
        expect(await readdir(service.places.dataFolder)).to.deep.equal(['db'])
      })

    for (const type of ['SymbolicLink', 'Link', 'CharacterDevice', 'FIFO'] as const)
      it(`is refused with an entry of the kind ${type}`, async () => {
        await forge([{ path: 'users/ada/files/x', type }])
        expect(await failure(anything)).to.equal('backup_invalid')
      })

    it('is refused if it is of a later format', async () => {
      await forge([{ path: 'users/ada/files/a', type: 'File' }], backupFormat + 1)
      expect(await failure(anything)).to.equal('backup_newer')
    })
  })
})
