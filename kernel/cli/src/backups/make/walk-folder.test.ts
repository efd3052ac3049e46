import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { restoreBackup } from '../restore/restore-backup.js'
import { createSmallService, type SmallService } from '../testing/small-service.js'
import { makeBackup } from './make-backup.js'
import { maxDepth, maxPathBytes } from './walk-folder.js'

const { signal } = new AbortController()

describe('a deep folder of a user', () => {
  let service: SmallService
  let file: string
  const workspace = 'users/eve/workspaces/agent'

  beforeEach(async () => {
    service = await createSmallService()
    file = join(service.folder, 'backup.tar')
    await service.write('users/ada/files/letter.txt', 'Dear Bob')
    await service.write('users/zoe/files/letter.txt', 'Dear Eve')
    await service.write(`${workspace}/note`, 'x')
  })
  // Node removes no path that is longer than the system takes.
  afterEach(() => promisify(execFile)('rm', ['-rf', service.folder]))

  /** Makes folders in each other, with a file in the last, as a program does that goes from folder to folder. */
  const nest = async (name: string, levels: number): Promise<void> => {
    const script =
      'for (let at = 0; at < process.argv[2]; at++) { fs.mkdirSync(process.argv[1]); process.chdir(process.argv[1]) } fs.writeFileSync("last", "x")'
    await promisify(execFile)(process.execPath, ['-e', script, name, String(levels)], { cwd: join(service.sources.dataFolder, workspace) })
  }
  const pathOf = (name: string, levels: number): string => `workspaces/agent/${Array(levels).fill(name).join('/')}`
  const readRestored = (path: string): Promise<string> => readFile(join(service.places.dataFolder, path), 'utf8')

  for (const levels of [1_900, 6_000])
    it(`of ${levels} levels is backed up to a depth, and named, and takes no backup from the others`, async () => {
      await nest('d', levels)
      const summary = await makeBackup(service.sources, file, { signal })
      // The workspaces and the agent's are the first two levels.
      expect(summary).to.deep.include({
        ...{ files: 3, unreadable: 1 },
        noted: [{ user: 'eve', path: pathOf('d', maxDepth - 1), reason: 'unreadable' }],
      })
      await restoreBackup(file, service.places)
      for (const path of ['users/ada/files/letter.txt', 'users/zoe/files/letter.txt', `${workspace}/note`])
        expect(await readRestored(path)).to.equal(await readFile(join(service.sources.dataFolder, path), 'utf8'))
    })

  it('is whole up to that depth', async () => {
    await nest('d', maxDepth - 2)
    const summary = await makeBackup(service.sources, file, { signal })
    expect(summary).to.include({ files: 4, unreadable: 0 })
    await restoreBackup(file, service.places)
    expect(await readRestored(`users/eve/${pathOf('d', maxDepth - 2)}/last`)).to.equal('x')
  })

  it('with a path that is too long for a folder of another name is left out from there on', async () => {
    const name = 'n'.repeat(200)
    await nest(name, 19)
    const summary = await makeBackup(service.sources, file, { signal })
    const [noted] = summary.noted
    expect(summary.noted).to.have.length(1)
    expect(`users/eve/${noted?.path}`.length).to.be.within(maxPathBytes + 1, maxPathBytes + 201)
    await restoreBackup(file, service.places)
    expect(await readRestored('users/ada/files/letter.txt')).to.equal('Dear Bob')
  })

  it('has files and folders of all levels, once each', async () => {
    for (const path of ['a/1', 'a/b/2', 'a/b/3', 'c/4', 'c/b/5']) {
      await mkdir(join(service.sources.dataFolder, workspace, path, '..'), { recursive: true })
      await writeFile(join(service.sources.dataFolder, workspace, path), path)
    }
    expect(await makeBackup(service.sources, file, { signal })).to.include({ files: 8, leftOut: 0, unreadable: 0 })
    await restoreBackup(file, service.places)
    for (const path of ['a/1', 'a/b/2', 'a/b/3', 'c/4', 'c/b/5']) expect(await readRestored(`${workspace}/${path}`)).to.equal(path)
  })
})
