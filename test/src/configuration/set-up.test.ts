import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel } from '@agent-service/kernel/testing'
import { setUpToken } from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { confirm, signUp } from '../support/api.js'

describe('the set-up of an installation', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-set-up-'))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** Starts, signs the first account up, and tells whether the service still wants to be set up. */
  async function needsSetUp(environment: Readonly<Record<string, string>> = {}, choose: readonly string[] = []): Promise<boolean> {
    const kernel = await createTestKernel({ folder, environment })
    try {
      const ask = async (): Promise<unknown> =>
        ((await (await fetch(`${kernel.url}/api/auth/config`)).json()) as Readonly<Record<string, unknown>>)['needs_setup']
      await signUp(kernel.url, 'ada')
      await kernel.container.resolve(setUpToken).choose(choose)
      return (await ask()) === true
    } finally {
      await kernel.stop()
    }
  }

  const writeFileWith = async (yaml: string): Promise<void> => {
    await mkdir(path.join(folder, 'data'), { recursive: true })
    await writeFile(path.join(folder, 'data', 'config.yaml'), yaml)
  }

  it('wants a memory backend of a fresh one, over restarts, until the file chooses', async () => {
    expect(await needsSetUp()).to.equal(true)
    expect(await needsSetUp()).to.equal(true)
    await writeFileWith('memory: { backend: basic }\n')
    expect(await needsSetUp()).to.equal(false)
  })

  it('wants none when the environment chooses, or set-up does; that is remembered', async () => {
    expect(await needsSetUp({ SERVICE_MEMORY_BACKEND: 'basic' })).to.equal(false)
    expect(await needsSetUp()).to.equal(true)
    expect(await needsSetUp({}, ['memory.backend'])).to.equal(false)
    expect(await needsSetUp()).to.equal(false)
  })

  it('wants none of an existing one: a file with any key, or a database folder', async () => {
    await writeFileWith('cache:\n')
    expect(await needsSetUp()).to.equal(false)
    await rm(path.join(folder, 'data'), { recursive: true })
    await mkdir(path.join(folder, 'data', 'db'), { recursive: true })
    expect(await needsSetUp()).to.equal(false)
  })

  it('is over at once when a save chooses, be it the default, which leaves no trace in the file', async () => {
    const kernel = await createTestKernel({ folder })
    try {
      const admin = await signUp(kernel.url, 'ada')
      await confirm(admin)
      const { body } = await admin.request('GET', '/api/admin/config')
      const answer = await fetch(`${kernel.url}/api/admin/config`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json', 'if-match': String(body['revision']) },
        body: JSON.stringify({ set: { 'memory.backend': 'basic' } }),
      })
      expect(answer.status).to.equal(200)
      expect((await admin.request('GET', '/api/auth/config')).body).to.have.property('needs_setup', false)
    } finally {
      await kernel.stop()
    }
    expect(await needsSetUp()).to.equal(false)
  })

  it('takes a file of comments for none', async () => {
    await writeFileWith('# memory: { backend: basic }\n')
    expect(await needsSetUp()).to.equal(true)
  })
})
