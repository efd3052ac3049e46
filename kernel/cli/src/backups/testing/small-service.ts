import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BackupSources } from '../make/make-backup.js'
import type { RestorePlaces } from '../restore/restore-backup.js'

/** The folders of a service, without a service: its database is one file. */
export interface SmallService {
  readonly folder: string
  readonly sources: BackupSources
  /** Where its backup can be restored. */
  readonly places: RestorePlaces
  write(path: string, content: string | Buffer): Promise<void>
  /** Called while the database is being copied. */
  duringCopy: () => Promise<void>
  remove(): Promise<void>
}

/** Makes one in a folder of its own in `parent`. */
export async function createSmallService(parent: string = tmpdir()): Promise<SmallService> {
  const folder = await mkdtemp(join(parent, 'agent-service-small-'))
  const dataFolder = join(folder, 'data')
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(dataFolder, path)), { recursive: true })
    await writeFile(join(dataFolder, path), content)
  }
  const value = { auth: { encryption_secret: 'a literal secret of the file' }, server: { port: 4000 } }
  const text = '# Ours\nauth:\n  encryption_secret: a literal secret of the file\nserver:\n  port: 4000\n'
  await write('config.yaml', text)
  const service: SmallService = {
    folder,
    write,
    duringCopy: () => Promise.resolve(),
    sources: {
      ...{ dataFolder, skillsFolder: join(dataFolder, 'skills'), ontologyFolder: join(dataFolder, 'ontology') },
      ...{ encryptionSecret: 'the secret', serviceVersion: '0.1.0', service: 'https://agents.example' },
      configuration: {
        file: { path: join(dataFolder, 'config.yaml'), exists: true, revision: null, value, positionOf: () => undefined },
        schema: {
          type: 'object',
          properties: { auth: { type: 'object', properties: { encryption_secret: { type: 'string', 'x-secret': true } } } },
        },
      },
      database: {
        driver: 'paper',
        async copy(target) {
          await service.duringCopy()
          await writeFile(join(target, 'store.paper'), 'rows')
          return { revision: 7, collections: [{ name: 'tests.accounts', version: 1 }] }
        },
      },
    },
    places: {
      ...{ dataFolder: join(folder, 'new'), databaseFolder: join(folder, 'new', 'db'), skillsFolder: join(folder, 'new', 'skills') },
      ...{ ontologyFolder: join(folder, 'new', 'ontology'), configurationFile: join(folder, 'new', 'config.yaml') },
      ...{ driver: 'paper', encryptionSecret: 'the secret' },
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
  return service
}
