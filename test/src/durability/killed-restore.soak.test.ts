import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type ModelUpstream, startModelUpstream } from '../console/model-upstream.js'
import { confirm, signIn, signUp } from '../support/api.js'
import { type RunningCommand, runCommand } from '../support/command.js'
import { startServiceProcess } from '../support/service-process.js'

const secret = { SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone' }

describe('a restore that is killed', function () {
  this.timeout(120_000)
  let root: string
  let upstream: ModelUpstream
  let file: string
  let credentialId: string
  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'agent-service-killed-restore-'))
    upstream = await startModelUpstream()
    file = path.join(root, 'backup.tar')
    const service = await startServiceProcess({ folder: await made('first') })
    const ada = await signUp(service.url, 'ada')
    const stored = await ada.request('POST', '/api/admin/credentials', { brand: 'other', label: 'Ours', api_key: 'sk-right' })
    credentialId = String(stored.body['id'])
    for (let number = 0; number < 20; number += 1) {
      const place = `${service.url}/api/files/content?path=files/note-${number}.bin`
      const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/octet-stream' }
      const answer = await fetch(place, { method: 'PUT', headers, body: randomBytes(100_000) })
      expect(answer.ok).to.equal(true)
    }
    expect(await service.stop()).to.equal(0)
    const backup = runCommand(service.folder, ['backup', file], secret)
    expect(await backup.ended, backup.output()).to.equal(0)
  })
  after(async () => {
    await upstream?.close()
    await rm(root, { recursive: true, force: true })
  })

  const made = async (name: string): Promise<string> => {
    await mkdir(path.join(root, name, 'data'), { recursive: true })
    return path.join(root, name)
  }
  const restore = (folder: string): RunningCommand => runCommand(folder, ['restore', file], secret)

  /** Kills it after so many changes below the data folder; false if it ended before. */
  const killedAfter = async (folder: string, changes: number): Promise<boolean> => {
    const watching = watch(path.join(folder, 'data'), { recursive: true })
    const { child } = restore(folder)
    const ended = once(child, 'exit')
    let seen = 0
    watching.on('change', () => {
      seen += 1
      if (seen === changes) child.kill('SIGKILL')
    })
    const [, signal] = await ended
    watching.close()
    return signal === 'SIGKILL'
  }

  it('is done by running it again, wherever it was, and the stored keys can be used', async () => {
    const whole = await made('whole')
    const restored = restore(whole)
    expect(await restored.ended, restored.output()).to.equal(0)
    const expected = await contentOf(path.join(whole, 'data'))
    expect(Object.keys(expected).filter((name) => name.startsWith('users/'))).to.have.length(20)

    let kills = 0
    for (let changes = 1; ; changes *= 4) {
      const folder = await made(`killed-${changes}`)
      if (!(await killedAfter(folder, changes))) break
      kills += 1
      const again = restore(folder)
      const status = await again.ended
      // One that was killed after its last step has nothing left to do, and says that the folder has content.
      if (status !== 0) expect(again.output()).to.include('is not empty')
      expect(await contentOf(path.join(folder, 'data'))).to.deep.equal(expected)
      if (changes > 1) await rm(folder, { recursive: true })
    }
    expect(kills).to.be.at.least(2)

    const service = await startServiceProcess({ folder: path.join(root, 'killed-1') })
    try {
      const ada = await signIn(service.url, 'ada', 'a long enough password')
      await confirm(ada)
      const draft = { provider: 'other', adapter: 'adapter_alpha', base_url: upstream.url, credential_id: credentialId, api: 'completions' }
      const tested = await ada.request('POST', '/api/admin/connections/test', draft)
      expect(tested.body, JSON.stringify(tested.body)).to.deep.include({ ok: true })
    } finally {
      await service.stop()
    }
  })
})

/** The checksum of every file; without locks, and without the audit entry of the restore itself. */
async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(({ name, parentPath }) => !name.includes('lock') && !parentPath.endsWith('audit-pending'))
    .filter((entry) => entry.isFile())
  const sums = files.map(async ({ parentPath, name }) => {
    const place = path.join(parentPath, name)
    const sum = createHash('sha256')
      .update(await readFile(place))
      .digest('hex')
    return [path.relative(folder, place), sum] as const
  })
  return Object.fromEntries((await Promise.all(sums)).sort())
}
