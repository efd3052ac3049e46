import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
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

  it('that cannot be erased keep no other account from being erased, and are tried again', async () => {
    const erasures = auth.store.database.collection(userErasures)
    // The system refuses such a name, so its folder cannot be removed; it was asked for first.
    const broken = { id: 'eve-id', handle: 'eve\0', requested_at: '2020-01-01T00:00:00.000Z', erased: [] }
    await erasures.put({ ...broken, names_sealed: null, has_earlier_names: false, audit_read_to: null })
    const deleteAll = await register(['eve', 'bob'])
    await deleteAll()
    expect(await readdir(usersFolder)).to.deep.equal([])
    expect(await erased()).to.have.members([false, true, true])
    const present = await erasures.get('eve-id')
    if (!present) throw new Error('The erasure is gone.')
    await erasures.put({ ...present, handle: 'eve' })
    await erase()
    expect(await erased()).to.deep.equal([true, true, true])
  })
})
