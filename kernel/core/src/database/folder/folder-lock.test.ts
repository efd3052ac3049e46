import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { rejection } from '../testing/test-database.js'
import { acquireFolderLock, findFolderOwner } from './folder-lock.js'

const now = (): number => Date.now()

describe('the lock of a folder', () => {
  let folder: string
  const children: ChildProcess[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-service-lock-'))
  })
  afterEach(async () => {
    for (const child of children.splice(0)) await kill(child)
    await rm(folder, { recursive: true, force: true })
  })

  const start = async (execArgv: readonly string[] = []): Promise<ChildProcess> => {
    const child = fork(fileURLToPath(new URL('../testing/lock-child.js', import.meta.url)), [folder], { execArgv: [...execArgv] })
    children.push(child)
    await once(child, 'message')
    return child
  }

  const lockIn = async (child: ChildProcess): Promise<string> => {
    const answer = once(child, 'message')
    child.send('lock')
    const [message] = (await answer) as [string]
    return message
  }

  const kill = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  it('is refused while another handle of the same process has it, and free after its release', async () => {
    const lock = await acquireFolderLock(folder, { now })
    const error = await rejection(acquireFolderLock(folder, { now }))
    expect(error).to.include({ code: 'database_locked' })
    expect(error.message).to.contain(`process ${process.pid}`)
    await lock.release()
    await lock.release()
    const again = await acquireFolderLock(folder, { now })
    await again.release()
  })

  it('names its owner and how to inspect that process, and does not delete the file', async () => {
    const child = await start()
    expect(await lockIn(child)).to.equal('locked')
    const error = await rejection(acquireFolderLock(folder, { now }))
    expect(error).to.include({ code: 'database_locked' })
    expect(error.message).to.contain(folder).and.to.contain(`process ${child.pid}`).and.to.contain(`ps -fp ${child.pid}`)
    const path = join(folder, 'lock')
    expect(await readFile(path, 'utf8')).to.match(new RegExp(`^pid ${child.pid}\nstarted \\d{4}-\\d\\d-\\d\\dT`))
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    await kill(child)
    expect((await stat(path)).isFile()).to.equal(true)
  })

  it('is refused while its owner is stopped', async () => {
    const child = await start()
    expect(await lockIn(child)).to.equal('locked')
    child.kill('SIGSTOP')
    expect(await rejection(acquireFolderLock(folder, { now }))).to.include({ code: 'database_locked' })
    child.kill('SIGCONT')
  })

  it('is free at once after its owner was killed', async () => {
    for (let round = 0; round < 3; round++) {
      const child = await start()
      expect(await lockIn(child)).to.equal('locked')
      await kill(child)
      const lock = await acquireFolderLock(folder, { now })
      await lock.release()
    }
  })

  it('survives garbage collection without a reference to it', async () => {
    const child = await start(['--expose-gc'])
    expect(await lockIn(child)).to.equal('locked')
    for (let round = 0; round < 3; round++) expect(await lockIn(child)).to.include('is in use')
    expect(await rejection(acquireFolderLock(folder, { now }))).to.include({ code: 'database_locked' })
  })

  it('goes to exactly one of two processes that start at once', async () => {
    const starters = await Promise.all([start(), start()])
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(starters.map((child) => lockIn(child)))
      if (round === 0) expect(answers.filter((answer) => answer === 'locked')).to.have.length(1)
      else expect(answers).not.to.include('locked')
      expect(answers.filter((answer) => answer.includes('is in use'))).to.have.length(round === 0 ? 1 : 2)
    }
  })

  it('goes to exactly one of many callers in one process', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 16 }, () => acquireFolderLock(folder, { now })))
    const won = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    expect(won).to.have.length(1)
    await won[0]?.release()
  })

  it('names its running owner to a reader, who takes no lock and changes nothing', async () => {
    expect(await findFolderOwner(join(folder, 'missing'))).to.equal(undefined)
    expect(await findFolderOwner(folder)).to.equal(undefined)
    const child = await start()
    await lockIn(child)
    const { mtimeMs } = await stat(join(folder, 'lock'))
    expect(await findFolderOwner(folder)).to.have.property('pid', child.pid)
    expect((await stat(join(folder, 'lock'))).mtimeMs).to.equal(mtimeMs)
    await kill(child)
    expect(await findFolderOwner(folder)).to.equal(undefined)
    const lock = await acquireFolderLock(folder, { now })
    expect(await findFolderOwner(folder)).to.equal(undefined)
    await lock.release()
  })
})
