import type { Logger } from '@agent-service/sdk'
import type { CollectionLayout, CommitWrite, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import type { FileSystem, WritableFile } from './file-system.js'
import { createLowdbDriver } from './lowdb-driver.js'
import { createSimulatedDisk, type KeptNames, type SimulatedDisk, type UnsyncedText } from './simulated-disk.test.js'

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => silent }

const open = (fileSystem: FileSystem): Promise<DatabaseConnection> =>
  createLowdbDriver({ fileSystem }).open({ path: '/store', settings: {}, log: silent, signal: new AbortController().signal })

const collections = ['a.left', 'a.right', 'a.third'] as const
const layoutOf = (name: string): CollectionLayout => ({
  name,
  version: 1,
  indexes: [{ name: 'by_value', fields: ['value'], unique: false }],
})
const put = (collection: string, id: string, value: number): CommitWrite => ({
  kind: 'put',
  collection,
  id,
  body: JSON.stringify({ id, value }),
  keys: [Buffer.from(String(value))],
})

/** One acknowledged step of the work, and the content of the store after it. */
interface Moment {
  readonly operations: number
  readonly content: string
}

/** Everything in a store, as text. */
async function contentOf(connection: DatabaseConnection): Promise<string> {
  const layouts = await connection.layouts()
  const documents = await Promise.all(layouts.map(({ name }) => connection.scan(name, { limit: 100 })))
  return JSON.stringify([layouts, documents])
}

/**
 * Commits of one collection, of two and of three, deletes, a drop and a new layout, each
 * acknowledged before the next begins.
 */
async function work(disk: SimulatedDisk, fileSystem: FileSystem): Promise<Moment[]> {
  const moments: Moment[] = []
  const connection = await open(fileSystem)
  const acknowledged = async (): Promise<void> => void moments.push({ operations: disk.operations(), content: await contentOf(connection) })
  await acknowledged()
  const steps: (() => Promise<unknown>)[] = [
    ...collections.map((name) => () => connection.ensureCollection(layoutOf(name), () => [null])),
    () => connection.commit({ checks: [], writes: [put('a.left', '1', 1)] }),
    () => connection.commit({ checks: [], writes: [put('a.left', '1', 2), put('a.right', '1', 2)] }),
    () => connection.commit({ checks: [], writes: [put('a.left', '2', 3)] }),
    () => connection.commit({ checks: [], writes: collections.map((name) => put(name, '3', 4)) }),
    () => connection.commit({ checks: [], writes: [{ kind: 'delete', collection: 'a.left', id: '1' }, put('a.right', '1', 5)] }),
    () => connection.commit({ checks: [], writes: [] }),
    () => connection.dropCollection('a.third'),
    () => connection.ensureCollection(layoutOf('a.third'), () => [null]),
    () => connection.commit({ checks: [], writes: [put('a.third', '9', 6), put('a.left', '9', 6)] }),
    () => connection.ensureCollection({ ...layoutOf('a.left'), version: 2 }, () => [Buffer.from('x')]),
    () => connection.commit({ checks: [], writes: [put('a.left', '9', 7)] }),
  ]
  for (const step of steps) {
    await step()
    await acknowledged()
  }
  await connection.close()
  return moments
}

const unsyncedTexts: readonly UnsyncedText[] = ['lost', 'torn', 'kept']

/** None of the loose names, all of them, each alone, all but each. */
const keptNames: readonly KeptNames[] = [
  () => false,
  () => true,
  ...Array.from({ length: 6 }, (_, chosen): KeptNames[] => [(position) => position === chosen, (position) => position !== chosen]).flat(),
]

/** Cuts the work at every operation, in every way. Returns the problems. */
async function cutEverywhere(
  decorate: (fileSystem: FileSystem) => FileSystem,
): Promise<{ readonly problems: readonly string[]; readonly cuts: number }> {
  const disk = createSimulatedDisk()
  const moments = await work(disk, decorate(disk.fileSystem))
  const problems: string[] = []
  let cuts = 0
  for (let cut = 0; cut <= disk.operations(); cut += 1) {
    const acknowledged = moments.findLastIndex((moment) => moment.operations <= cut)
    const allowed = [moments[acknowledged]?.content ?? '[[],[]]', moments[acknowledged + 1]?.content]
    const seen = new Set<string>()
    for (const text of unsyncedTexts) {
      for (const kept of keptNames) {
        const survivors = disk.survivors(cut, text, kept)
        const state = JSON.stringify([...survivors])
        if (seen.has(state)) continue
        seen.add(state)
        cuts += 1
        const problem = await problemOf(survivors, allowed)
        if (problem) problems.push(`cut at ${cut} of ${disk.operations()}, unsynced text ${text}: ${problem}`)
      }
    }
  }
  return { problems, cuts }
}

async function problemOf(survivors: ReadonlyMap<string, string>, allowed: readonly (string | undefined)[]): Promise<string | undefined> {
  const disk = createSimulatedDisk(survivors)
  try {
    const connection = await open(disk.fileSystem)
    const content = await contentOf(connection)
    await connection.close()
    if (!allowed.includes(content)) return `the content is neither the last acknowledged state nor the next: ${content}`
    const again = await open(createSimulatedDisk(disk.survivors(disk.operations(), 'lost', () => false)).fileSystem)
    const second = await contentOf(again)
    await again.close()
    return second === content ? undefined : 'a second power cut changes what the first left'
  } catch (error) {
    return `the store does not open: ${error instanceof Error ? error.message : String(error)}`
  }
}

const withFile = (fileSystem: FileSystem, change: (file: WritableFile) => WritableFile): FileSystem => ({
  ...fileSystem,
  openForWriting: async (path) => change(await fileSystem.openForWriting(path)),
})

describe('a power cut at any operation', function () {
  this.timeout(60_000)

  it('leaves the last acknowledged state or the next, and the store opens', async () => {
    const { problems, cuts } = await cutEverywhere((fileSystem) => fileSystem)
    expect(problems.slice(0, 3), `${problems.length} of ${cuts} cuts`).to.deep.equal([])
    expect(cuts).to.be.greaterThan(300)
  })

  const faults: Readonly<Record<string, (fileSystem: FileSystem) => FileSystem>> = {
    'file syncs taken out': (fileSystem) => withFile(fileSystem, (file) => ({ ...file, sync: async () => undefined })),
    'folder syncs taken out': (fileSystem) => ({ ...fileSystem, syncFolder: async () => undefined }),
    'file syncs that come behind the rename': (fileSystem) => {
      const late: (() => Promise<void>)[] = []
      return {
        ...withFile(fileSystem, (file) => ({
          ...file,
          sync: async () => {
            late.push(() => file.sync())
          },
        })),
        async rename(from, to) {
          await fileSystem.rename(from, to)
          for (const sync of late.splice(0)) await sync()
        },
      }
    },
  }
  for (const [fault, decorate] of Object.entries(faults)) {
    it(`is detected as damage with ${fault}`, async () => {
      const { problems } = await cutEverywhere(decorate)
      expect(problems).to.have.length.greaterThan(0)
    })
  }
})
