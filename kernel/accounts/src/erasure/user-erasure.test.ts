import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { userErasures } from '../records/records.js'
import { type AuthUnderTest, openAuthUnderTest } from '../testing/auth-under-test.js'

describe('the files of a deleted account', () => {
  let usersFolder: string
  let auth: AuthUnderTest
  beforeEach(async () => {
    usersFolder = await mkdtemp(path.join(tmpdir(), 'agent-service-erasure-'))
    auth = await openAuthUnderTest({ usersFolder })
  })
  afterEach(() => promisify(execFile)('rm', ['-rf', usersFolder]))

  /** Registers accounts with one file each. Returns what deletes them, in this order. */
  const register = async (names: readonly string[]): Promise<() => Promise<void>> => {
    const principal = await auth.confirm((await auth.register('root')).access_token)
    const ids: string[] = []
    for (const name of names) {
      ids.push((await auth.register(name)).user.id)
      await mkdir(path.join(usersFolder, name, 'files'), { recursive: true })
      await writeFile(path.join(usersFolder, name, 'files', 'letter.txt'), 'Dear Bob')
    }
    return async () => {
      for (const user_id of ids) await auth.call('deleteUser', { principal, params: { user_id } })
      // A deletion has begun the first already.
      await erase()
      await erase()
    }
  }
  const erase = async (): Promise<void> => {
    const job = auth.jobs.find(({ id }) => id === 'kernel.erase-users')
    await job?.run({ signal: new AbortController().signal, epoch: 1 })
  }
  const erased = async (): Promise<readonly boolean[]> =>
    (await auth.store.stored(userErasures)).map(({ document }) => document.erased.includes('files'))

  it('are erased however deep its programs have nested folders, as are those of accounts deleted later', async () => {
    const deleteAll = await register(['eve', 'bob'])
    const script = 'for (let at = 0; at < 3000; at++) { fs.mkdirSync("d"); process.chdir("d") }'
    await promisify(execFile)(process.execPath, ['-e', script], { cwd: path.join(usersFolder, 'eve', 'files') })
    await deleteAll()
    expect(await readdir(usersFolder)).to.deep.equal([])
    expect(await erased()).to.deep.equal([true, true])
  })

  it('that cannot be erased keep no other account from being erased, and are tried again', async function () {
    // Only the superuser can give a folder away.
    if (process.geteuid?.() !== 0) return this.skip()
    const deleteAll = await register(['eve', 'bob'])
    const ordinary = 65_534
    for (const folder of ['.', 'bob', 'bob/files', 'bob/files/letter.txt']) await chown(path.join(usersFolder, folder), ordinary, ordinary)
    process.seteuid?.(ordinary)
    await deleteAll().finally(() => process.seteuid?.(0))
    expect(await readdir(usersFolder)).to.deep.equal(['eve'])
    expect((await erased()).filter(Boolean)).to.have.length(1)
    await erase()
    expect(await readdir(usersFolder)).to.deep.equal([])
  })
})
