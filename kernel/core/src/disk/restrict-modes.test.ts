import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { quietLog } from '../database/testing/test-database.js'
import { restrictFolder } from './restrict-modes.js'

describe('the modes of the service’s files', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'agent-service-modes-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const make = async (path: string, mode: number, content?: string): Promise<void> => {
    if (content === undefined) await mkdir(join(root, path))
    else await writeFile(join(root, path), content)
    await chmod(join(root, path), mode)
  }
  const modeOf = async (path: string): Promise<string> => ((await stat(join(root, path))).mode & 0o7777).toString(8)

  it('permit other users nothing, whatever the modes were before', async () => {
    await make('store', 0o777)
    await make('store/deep', 0o755)
    await make('store/deep/a', 0o666, 'a')
    await make('store/b', 0o644, 'b')
    await make('store/c', 0o400, 'c')
    await make('store/set', 0o4755, 'set')
    await restrictFolder(join(root, 'store'), { log: quietLog })
    const modes = await Promise.all(['store', 'store/deep', 'store/deep/a', 'store/b', 'store/c', 'store/set'].map(modeOf))
    expect(modes).to.deep.equal(['700', '700', '600', '600', '400', '700'])
  })

  it('are not changed for targets of symbolic links', async () => {
    await make('foreign', 0o755)
    await make('foreign/file', 0o644, 'foreign')
    await make('store', 0o755)
    await symlink(join(root, 'foreign'), join(root, 'store/folder'))
    await symlink(join(root, 'foreign/file'), join(root, 'store/file'))
    await symlink(join(root, 'nowhere'), join(root, 'store/nowhere'))
    await restrictFolder(join(root, 'store'), { log: quietLog })
    expect(await Promise.all(['store', 'foreign', 'foreign/file'].map(modeOf))).to.deep.equal(['700', '755', '644'])
  })

  it('are changed in the target of a linked folder, but not of the target itself', async () => {
    await make('mounted', 0o755)
    await make('mounted/file', 0o644, 'own')
    await symlink(join(root, 'mounted'), join(root, 'store'))
    await restrictFolder(join(root, 'store'), { log: quietLog })
    expect(await Promise.all(['mounted', 'mounted/file'].map(modeOf))).to.deep.equal(['755', '600'])
  })

  it('are changed only for folders, if their content belongs to users', async () => {
    await make('users', 0o755)
    await make('users/ann', 0o755)
    await make('users/ann/shared', 0o755)
    await make('users/note', 0o644, 'note')
    await restrictFolder(join(root, 'users'), { log: quietLog, content: 'folders' })
    expect(await Promise.all(['users', 'users/ann', 'users/ann/shared', 'users/note'].map(modeOf))).to.deep.equal([
      '700',
      '700',
      '755',
      '644',
    ])
  })

  it('are ignored if the folder does not exist', async () => {
    await restrictFolder(join(root, 'missing'), { log: quietLog })
  })
})
