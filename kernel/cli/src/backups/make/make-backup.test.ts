import { chmod, mkdir, open, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { readArchive } from '../archive/archive-reader.js'
import { readSummary } from '../index.js'
import { createSmallService, type SmallService } from '../testing/small-service.js'
import { verifyBackup } from '../verify/verify-backup.js'
import { makeBackup } from './make-backup.js'

const { signal } = new AbortController()

describe('a backup', () => {
  let service: SmallService
  let file: string

  beforeEach(async () => {
    service = await createSmallService()
    file = join(service.folder, 'backup.tar')
  })
  afterEach(() => service.remove())

  const contents = async (): Promise<ReadonlyMap<string, string>> => {
    const found = new Map<string, string>()
    await readArchive(file, {
      encryptionSecret: 'the secret',
      signal,
      visitor: {
        async entry({ path, kind }, content) {
          const pieces: Buffer[] = []
          for await (const piece of content) pieces.push(piece)
          found.set(kind === 'folder' ? `${path}/` : path, Buffer.concat(pieces).toString())
        },
      },
    })
    return found
  }

  it('has files, state documents, skills, the configuration and the database, and no caches, backups or unfinished uploads', async () => {
    await service.write('users/ada/files/letter.txt', 'Dear Bob')
    await mkdir(join(service.sources.dataFolder, 'users/ada/workspaces/empty'), { recursive: true })
    await service.write('users/ada/.incoming/new-1', 'half')
    await service.write('system/plugins.json', '{}')
    await service.write('system/cache/catalogue.json', '{}')
    await service.write('system/backups/old.tar', 'old')
    await service.write('skills/weather/SKILL.md', '# Weather')
    await service.write('ontology/house.ttl', 'a b c .')
    await service.write('audit-pending/1', '{}')
    const summary = await makeBackup(service.sources, file, { signal })
    const found = await contents()
    expect([...found.keys()].sort()).to.deep.equal(
      [
        ...['configuration/config.yaml', 'database/store.paper', 'ontologies/house.ttl', 'skills/weather/', 'skills/weather/SKILL.md'],
        ...[
          'system/plugins.json',
          'users/ada/',
          'users/ada/files/',
          'users/ada/files/letter.txt',
          'users/ada/workspaces/',
          'users/ada/workspaces/empty/',
        ],
      ].sort(),
    )
    expect(found.get('users/ada/files/letter.txt')).to.equal('Dear Bob')
    expect(summary).to.include({ files: 4, changing: 0, leftOut: 0, driver: 'paper' })
    expect((await readSummary(file))?.summary).to.include({ revision: 7, files: 4 })
    expect((await readdir(service.folder)).sort()).to.deep.equal(['backup.tar', 'data'])
  })

  it('has no literal secret of the configuration, and says which ones', async () => {
    const { secretsLeftOut } = await makeBackup(service.sources, file, { signal })
    expect(secretsLeftOut).to.deep.equal(['auth.encryption_secret'])
    expect((await contents()).get('configuration/config.yaml')).to.equal(
      '# Ours\nauth:\n  encryption_secret: ${SERVICE_AUTH_ENCRYPTION_SECRET}\nserver:\n  port: 4000\n',
    )
    expect((await readFile(file)).includes('a literal secret of the file')).to.equal(false)
    expect((await readFile(file)).includes('the secret"')).to.equal(false)
  })

  it('has files that are written while the database is copied, and the newer version of those that change then', async () => {
    await service.write('users/ada/files/a.txt', 'old')
    await service.write('users/ada/files/moved.txt', 'moved')
    const users = join(service.sources.dataFolder, 'users/ada/files')
    service.duringCopy = async () => {
      await service.write('users/ada/files/a.txt', 'newer')
      await service.write('users/bob/files/late.txt', 'late')
      await rename(join(users, 'moved.txt'), join(users, 'there.txt'))
      await rm(join(service.sources.dataFolder, 'config.yaml'))
    }
    await makeBackup(service.sources, file, { signal })
    const found = await contents()
    expect(found.get('users/ada/files/a.txt')).to.equal('newer')
    expect(found.get('users/bob/files/late.txt')).to.equal('late')
    expect(found.get('users/ada/files/there.txt')).to.equal('moved')
  })

  it('ends also when a large file never stops changing, and says so', async () => {
    await service.write('users/ada/files/growing.log', Buffer.alloc(3_000_000, 1))
    const path = join(service.sources.dataFolder, 'users/ada/files/growing.log')
    let reads = 0
    const handle = await open(path, 'a')
    const summary = await makeBackup(service.sources, file, {
      signal: new Proxy(signal, {
        get(target, name) {
          // The writer looks at the signal before each piece.
          if (name === 'throwIfAborted') {
            reads += 1
            void handle.appendFile('x')
            return () => undefined
          }
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
    })
    await handle.close()
    expect(reads).to.be.greaterThan(10)
    expect(summary.changing).to.be.greaterThan(0)
    await readArchive(file, { signal, encryptionSecret: 'the secret' })
  })

  it('leaves links and odd names out, counts them, and keeps modes and times', async () => {
    await service.write('users/ada/files/tool.sh', 'echo')
    const folder = join(service.sources.dataFolder, 'users/ada/files')
    await chmod(join(folder, 'tool.sh'), 0o700)
    await utimes(join(folder, 'tool.sh'), 1_000_000, 1_000_000)
    await symlink('/etc/passwd', join(folder, 'link'))
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xff, 0xfe)]), 'odd')
    const summary = await makeBackup(service.sources, file, { signal })
    expect(summary).to.include({ files: 1, leftOut: 2 })
    const entries: unknown[] = []
    await readArchive(file, {
      encryptionSecret: 'the secret',
      signal,
      visitor: {
        async entry(entry, content) {
          for await (const _ of content);
          if (entry.path.endsWith('tool.sh')) entries.push([entry.mode, entry.changedAt])
        },
      },
    })
    expect(entries).to.deep.equal([[0o700, 1_000_000_000]])
  })

  it('leaves nothing when it is cancelled, fails or would replace a file', async () => {
    const cancelled = new AbortController()
    service.duringCopy = () => {
      cancelled.abort(new Error('enough'))
      return Promise.resolve()
    }
    const failure = await makeBackup(service.sources, file, { signal: cancelled.signal }).catch((error: unknown) => error)
    expect(failure).to.include({ message: 'enough' })
    for (const code of ['ENOSPC', 'EFBIG', 'storage_full']) {
      service.duringCopy = () => Promise.reject(Object.assign(new Error('full'), { code }))
      const full = await makeBackup(service.sources, file, { signal }).catch((error: unknown) => error)
      expect(full, code).to.include({ code: 'backup_no_room' })
    }
    expect(await readdir(service.folder)).to.deep.equal(['data'])
    await writeFile(file, 'mine')
    const refused = await makeBackup(service.sources, file, { signal }).catch((error: unknown) => error)
    expect(refused).to.include({ code: 'backup_refused' })
    expect(await readFile(file, 'utf8')).to.equal('mine')
  })

  it('is not called damaged because the disk is full on which it is verified', async () => {
    await makeBackup(service.sources, file, { signal })
    const verify = (code: string) => {
      const open = () => Promise.reject(Object.assign(new Error('no'), { code }))
      return verifyBackup(file, { signal, scratch: join(service.folder, 'scratch'), encryptionSecret: 'the secret', open }).catch(
        (error: unknown) => error,
      )
    }
    expect(await verify('storage_full')).to.include({ code: 'backup_no_room' })
    expect(await verify('corrupt')).to.include({ sound: false })
    expect((await readdir(service.folder)).sort()).to.deep.equal(['backup.tar', 'data'])
  })
})
