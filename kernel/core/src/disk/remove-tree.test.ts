import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { removeTree } from './remove-tree.js'

describe('removing a folder', () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'agent-service-remove-'))
    await mkdir(join(home, 'folder'))
  })
  afterEach(() => promisify(execFile)('rm', ['-rf', home]))

  it('removes what is nested deeper than a path can say', async () => {
    const script = 'for (let at = 0; at < 5000; at++) { fs.mkdirSync("d"); process.chdir("d") } fs.writeFileSync("last", "x")'
    await promisify(execFile)(process.execPath, ['-e', script], { cwd: join(home, 'folder') })
    await removeTree(join(home, 'folder'))
    expect(await readdir(home)).to.deep.equal([])
  })

  it('removes folders without rights, odd names and links, and leaves what they lead to', async () => {
    await mkdir(join(home, 'outside'))
    await writeFile(join(home, 'outside', 'kept'), 'x')
    await symlink(join(home, 'outside'), join(home, 'folder', 'link'))
    await mkdir(join(home, 'folder', 'a', 'b', 'c'), { recursive: true })
    await writeFile(join(home, 'folder', 'a', 'b', 'c', 'file'), 'x')
    await writeFile(Buffer.concat([Buffer.from(join(home, 'folder', 'a/')), Buffer.of(0xff)]), 'x')
    await asOrdinaryUser(home, async () => {
      await chmod(join(home, 'folder', 'a', 'b'), 0)
      await chmod(join(home, 'folder', 'a'), 0)
      await removeTree(join(home, 'folder'))
    })
    expect(await readdir(home)).to.deep.equal(['outside'])
    expect(await readdir(join(home, 'outside'))).to.deep.equal(['kept'])
  })

  it('does nothing where there is none, and removes a link alone', async () => {
    await removeTree(join(home, 'nothing'))
    await symlink(join(home, 'folder'), join(home, 'link'))
    await removeTree(join(home, 'link'))
    expect(await readdir(home)).to.deep.equal(['folder'])
  })
})

/** The superuser may do everything, whatever its rights are. */
async function asOrdinaryUser(folder: string, work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work()
  const ordinary = 65_534
  await promisify(execFile)('chown', ['-hR', String(ordinary), folder])
  process.seteuid?.(ordinary)
  try {
    await work()
  } finally {
    process.seteuid?.(0)
    await chown(folder, 0, 0)
  }
}
