import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'

const run = promisify(execFile)
const examples = fileURLToPath(new URL('../../../examples', import.meta.url))

/** The file that the README of the example makes, by its own command. */
async function makeLockbox(): Promise<Buffer> {
  const readme = await readFile(path.join(examples, 'vault-lockbox/README.md'), 'utf8')
  const command = /^```sh\n(PASSPHRASE=[\s\S]*?)^```$/m.exec(readme)?.[1] ?? expect.fail('The README has no command.')
  const folder = await mkdtemp(path.join(tmpdir(), 'lockbox-'))
  try {
    await symlink(path.join(examples, 'vault-lockbox/dist'), path.join(folder, 'dist'))
    await run('sh', ['-c', command], { cwd: folder })
    return await readFile(path.join(folder, 'home.lockbox'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe('examples in a whole service', () => {
  let kernel: TestKernel
  let ada: Api
  before(async () => {
    kernel = await createTestKernel({
      plugins: ['search-marginalia', 'vault-lockbox'].map((name) => path.join(examples, name)),
      environment: { SERVICE_SEARCH_PROVIDER: 'marginalia', MARGINALIA_API_KEY: 'canary-key-of-marginalia' },
    })
    ada = await signUp(kernel.url, 'ada')
  })
  after(() => kernel?.stop())

  it('search-marginalia is the provider that the configuration names', async () => {
    const { body } = await ada.request('GET', '/api/search')
    expect(body).to.deep.include({ available: true, provider: 'marginalia', title: 'Marginalia', reason: null })
    expect(JSON.stringify([body, kernel.log])).to.not.contain('canary-key-of-marginalia')
  })

  it('vault-lockbox lists the file of its README, and says what is wrong with a passphrase', async () => {
    const uploaded = await fetch(`${kernel.url}/api/files/content?path=files/home.lockbox`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/octet-stream' },
      body: await makeLockbox(),
    })
    expect(uploaded.status).to.be.lessThan(300)
    const connect = async (passphrase: string) => {
      const members = { path: 'files/home.lockbox', passphrase }
      const { status, body } = await ada.request('POST', '/api/vaults', { connector: 'lockbox', title: 'Home', members })
      expect(status, JSON.stringify(body)).to.equal(201)
      const { body: tested } = await ada.request('POST', `/api/vaults/${body['id']}/test`)
      const { items } = (await ada.request('GET', `/api/vaults/${body['id']}/items`)).body
      return { state: tested['state'], failure: tested['failure'] as { readonly code: string } | null, items }
    }
    const { state, failure, items } = await connect('correct horse battery')
    expect([state, failure]).to.deep.equal(['ready', null])
    expect(items).to.have.length(1)
    expect(items).to.have.nested.property('[0].title', 'Printer')
    expect((await connect('another passphrase')).failure).to.include({ code: 'vault_unauthorized' })
    expect(JSON.stringify(kernel.log)).to.not.contain('open sesame').and.not.contain('correct horse')
  })
})
