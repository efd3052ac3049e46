import { createHmac } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { developmentEncryptionSecret } from '@agent-service/kernel-core/config'
import { deriveKey } from '@agent-service/kernel-core/secrets'
import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import type { BackupProgress, BackupReport } from '@agent-service/sdk/services/backups'
import { expect } from 'chai'
import { makeBackup } from '../make/make-backup.js'
import { type RestoreOptions, restoreBackup } from '../restore/restore-backup.js'
import { entriesOfArchive, type Forgery, forgeArchive } from '../testing/forged-archive.js'
import { createSmallService, type SmallService } from '../testing/small-service.js'
import { verifyBackup } from '../verify/verify-backup.js'
import { names } from './layout.js'

const { signal } = new AbortController()
const emptyDatabase = { layouts: () => Promise.resolve([]), close: () => Promise.resolve() } as unknown as DatabaseConnection

describe('the proof of origin of a backup', () => {
  let service: SmallService
  let file: string

  beforeEach(async () => {
    service = await createSmallService()
    file = join(service.folder, 'backup.tar')
    await service.write('users/ada/files/letter.txt', 'Dear Bob')
    await service.write('system/plugins.json', '{}')
  })
  afterEach(() => service.remove())

  const make = (encryptionSecret = 'the secret'): Promise<unknown> => makeBackup({ ...service.sources, encryptionSecret }, file, { signal })
  const failure = (options: RestoreOptions = {}, encryptionSecret = 'the secret'): Promise<{ code: string; message: string }> =>
    restoreBackup(file, { ...service.places, encryptionSecret }, options).then(
      () => ({ code: 'restored', message: '' }),
      ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message }),
    )
  const verify = (encryptionSecret = 'the secret', open = () => Promise.resolve(emptyDatabase)): Promise<BackupReport> =>
    verifyBackup(file, { signal, scratch: join(service.folder, 'scratch'), encryptionSecret, open })
  /** Changes a genuine backup, with every digest made right again. */
  const forge = async (change: (forgery: Forgery) => Forgery): Promise<void> => {
    const { entries, end } = await entriesOfArchive(file)
    await forgeArchive(file, change({ entries: entries.slice(0, -2), end: (fitting) => ({ ...fitting, proof: end.proof ?? '' }) }))
  }
  const otherConfiguration = ({ entries, ...rest }: Forgery): Forgery => ({
    ...rest,
    entries: entries.map((entry) =>
      entry.path === 'configuration/config.yaml' ? { ...entry, content: Buffer.from('server:\n  host: 0.0.0.0\n') } : entry,
    ),
  })
  const nothingRestored = async (): Promise<void> => {
    expect(await readdir(service.places.dataFolder)).to.deep.equal(['db'])
  }

  it('is in each backup, and shows who made it and when', async () => {
    await make()
    const report = await verify()
    expect(report).to.include({ sound: true, problem: null, proof: 'proven' })
    expect(report.summary).to.include({ service: 'https://agents.example' })
    expect(report.summary?.createdAt).to.match(/^\d{4}-/)
    expect(await restoreBackup(file, service.places)).to.include({ proof: 'proven' })
  })

  it('is an HMAC under a key of its own, over the digest of all that comes before', async () => {
    await make()
    const { end } = await entriesOfArchive(file)
    const digest = createHmac('sha256', deriveKey('the secret', 'backup proof of origin'))
      .update(JSON.stringify(['agent-service backup', 1, end.sha256, end.summaryAt]))
      .digest('hex')
    expect(end.proof).to.equal(digest)
  })

  it('refuses contents that were changed with all digests made right, on verify and restore, and opens no database of them', async () => {
    await make()
    await forge(otherConfiguration)
    const report = await verify('the secret', () => expect.fail('The database was opened.'))
    expect(report).to.include({ sound: false, proof: null })
    expect(report.problem).to.match(/changed after it was made/)
    for (const options of [{}, { acceptUnproven: true, anySecret: true }]) {
      const { code, message } = await failure(options)
      expect(code).to.equal('backup_invalid')
      expect(message).to.match(/changed after it was made/)
    }
    await nothingRestored()
  })

  it('covers modes and times, which the manifest does not have', async () => {
    await make()
    await forge((forgery) => forgery)
    expect(await verify()).to.include({ sound: false })
    expect((await failure()).code).to.equal('backup_invalid')
  })

  it('does not fit members of two genuine backups', async () => {
    await make()
    const one = await entriesOfArchive(file)
    await service.write('users/ada/files/letter.txt', 'Dear Eve')
    file = join(service.folder, 'second.tar')
    await make()
    const letter = one.entries.find(({ path }) => path.endsWith('letter.txt'))
    await forge(({ entries, ...rest }) => ({
      ...rest,
      entries: entries.map((entry) => (letter !== undefined && entry.path === letter.path ? letter : entry)),
    }))
    expect((await failure()).code).to.equal('backup_invalid')
    for (const proof of [one.end.proof ?? '', '0'.repeat(64)]) {
      await forge((forgery) => ({ ...forgery, end: (end) => ({ ...end, proof }) }))
      expect((await failure({ acceptUnproven: true })).code).to.equal('backup_invalid')
    }
    await nothingRestored()
  })

  it('does not fit a backup in which an entry was added, left out or doubled', async () => {
    await make()
    const genuine = await readFile(file)
    const plant = { path: 'users/eve/files/a', content: Buffer.from('a') }
    for (const change of [
      ({ entries, ...rest }: Forgery): Forgery => ({ ...rest, entries: [...entries, plant] }),
      ({ entries, ...rest }: Forgery): Forgery => ({ ...rest, entries: entries.slice(0, -1) }),
      ({ entries, ...rest }: Forgery): Forgery => ({ ...rest, entries: [...entries, ...entries.slice(-1)] }),
    ]) {
      await writeFile(file, genuine)
      await forge(change)
      expect((await failure({ acceptUnproven: true })).code).to.equal('backup_invalid')
    }
    await nothingRestored()
  })

  it('cannot be taken out', async () => {
    await make()
    await forge((forgery) => ({ ...otherConfiguration(forgery), end: (end) => end }))
    expect((await failure({ acceptUnproven: true })).code).to.equal('backup_invalid')
    // Nor together with the format that has it, without being asked.
    await forge(({ entries: [head, ...entries], ...rest }) => {
      const content = Buffer.from(JSON.stringify({ ...(JSON.parse(String(head?.content)) as object), format: 2 }))
      return { ...rest, entries: [{ path: names.header, content }, ...entries], end: (end) => end }
    })
    const { code, message } = await failure()
    expect(code).to.equal('backup_unproven')
    expect(message).to.include('--accept-unproven')
    await nothingRestored()
    expect(await verify()).to.include({ sound: true, proof: 'absent' })
    expect(await restoreBackup(file, service.places, { acceptUnproven: true })).to.include({ proof: 'absent' })
  })

  it('is not added to a format that has none', async () => {
    await make()
    await forge(({ entries: [head, ...entries], ...rest }) => {
      const content = Buffer.from(JSON.stringify({ ...(JSON.parse(String(head?.content)) as object), format: 2 }))
      return { ...rest, entries: [{ path: names.header, content }, ...entries] }
    })
    expect((await failure({ acceptUnproven: true })).code).to.equal('backup_invalid')
  })

  it('under another secret, or that of before a rotation, is not taken, and the message tells how to know', async () => {
    await make('the secret of before')
    expect(await verify()).to.include({ sound: true, proof: 'other_secret' })
    const { code, message } = await failure()
    expect(code).to.equal('backup_secret_wrong')
    expect(message).to.match(/or was changed after it was made.*if it is refused again, it was changed/)
    expect((await failure({ anySecret: true })).code).to.equal('backup_unproven')
    await nothingRestored()
    expect(await verify('the secret of before')).to.include({ sound: true, proof: 'proven' })
    expect((await failure({}, 'the secret of before')).code).to.equal('restored')
  })

  it('under the built-in secret is worth nothing, and says so where that secret is in use', async () => {
    await make(developmentEncryptionSecret)
    expect(await verify(developmentEncryptionSecret)).to.include({ sound: true, proof: 'public_secret' })
    expect((await failure({}, 'the secret')).code).to.equal('backup_secret_wrong')
    expect((await failure({ anySecret: true }, 'the secret')).code).to.equal('backup_unproven')
    expect((await failure({}, developmentEncryptionSecret)).code).to.equal('restored')
  })

  it('is compared before anything but head and end is interpreted', async () => {
    await make()
    await forge(({ entries: [head], ...rest }) => ({
      ...rest,
      entries: [head ?? expect.fail('no head'), { path: '../evil', content: Buffer.from('evil') }],
    }))
    expect((await failure({ acceptUnproven: true })).message).to.match(/changed after it was made/)
  })

  it('is of what is put into place, also if another genuine backup takes the place of the file meanwhile', async () => {
    await make()
    const older = join(service.folder, 'older.tar')
    await rename(file, older)
    await make()
    const progress = ({ step }: BackupProgress): void => {
      // All of this small file was read by now; it is opened once more to write what is in it.
      if (step === 'check') copyFileSync(older, file)
    }
    const { code, message } = await failure({ progress })
    expect([code, message]).to.deep.equal(['backup_refused', `${file} was replaced while it was read.`])
    await nothingRestored()
  })

  describe('where a backup is accepted without one', () => {
    const steps: string[] = []
    const unproven = async (tail: Forgery['tail'], more: Forgery['entries'] = []): Promise<{ code: string; message: string }> => {
      await make()
      await forge(({ entries: [head, ...entries] }) => {
        const content = Buffer.from(JSON.stringify({ ...(JSON.parse(String(head?.content)) as object), format: 2 }))
        return { entries: [{ path: names.header, content }, ...entries, ...more], ...(tail && { tail }) }
      })
      steps.length = 0
      return failure({ acceptUnproven: true, progress: ({ step }) => steps.push(step) })
    }
    const more = { path: 'users/ada/files/more', content: Buffer.from('more') }
    const tails: Readonly<Record<string, NonNullable<Forgery['tail']>>> = {
      'no manifest': ({ summary }) => [summary],
      'a manifest that was cut': ({ manifest, summary }) => [{ ...manifest, content: manifest.content.subarray(0, -10) }, summary],
      'two manifests': ({ manifest, summary }) => [manifest, manifest, summary],
      'an entry after the manifest': ({ manifest, summary }) => [manifest, more, summary],
      'an entry that is not in the manifest': ({ manifest, summary }) => [more, manifest, summary],
      'an entry after the summary': ({ manifest, summary }) => [manifest, summary, more],
      'two summaries': ({ manifest, summary }) => [manifest, summary, summary],
      'a manifest that is a folder': ({ summary }) => [
        { path: `${names.manifest}/`, content: Buffer.alloc(0), type: 'Directory' },
        summary,
      ],
    }
    for (const [what, tail] of Object.entries(tails))
      it(`is refused with ${what}`, async () => {
        expect((await unproven(tail)).code).to.equal('backup_invalid')
        // Nothing was written, not even beside its place.
        expect(steps).to.deep.equal(['check', 'check'])
        await nothingRestored()
      })

    for (const path of [names.header, names.end])
      it(`is refused with a second ${path}, also if it is in the manifest`, async () => {
        expect((await unproven(undefined, [{ ...more, path }])).message).to.include(`it has ${path} where none belongs`)
      })

    it('is restored if it is whole', async () => {
      expect((await unproven(undefined)).code).to.equal('restored')
    })
  })
})
