import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { definePlugin } from '@agent-service/sdk'
import { expect } from 'chai'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { confirm, signUp } from '../support/api.js'
import { engineManifest } from './support/permissive-engine.js'

describe('the slot for the policy engine', function () {
  this.timeout(60_000)
  const withoutCedar = { SERVICE_PLUGINS_DISABLED: '["policy-cedar"]' }
  let folder: string
  let permissive: string
  let kernel: TestKernel | undefined

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-engines-'))
    permissive = await writeTestPlugin(
      path.join(folder, 'permissive'),
      definePlugin({ manifest: engineManifest, setup: () => undefined }),
      new URL('./support/permissive-engine.js', import.meta.url),
    )
  })
  after(() => rm(folder, { recursive: true, force: true }))
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
  })

  const start = async (options: Parameters<typeof createTestKernel>[0]): Promise<TestKernel> => {
    kernel = await createTestKernel(options)
    return kernel
  }
  const reasonsIn = ({ log }: TestKernel): readonly unknown[] =>
    log.filter(({ msg }) => String(msg).includes('policies cannot be used')).map(({ reason }) => reason)
  /** Nothing but open routes is answered, and the service says that it is not ready. */
  const expectDenial = async ({ url }: TestKernel): Promise<void> => {
    const ada = await signUp(url, 'ada')
    expect((await ada.request('GET', '/api/auth/me')).body).to.include({ code: 'policies_unavailable', status: 503 })
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.json()]).to.deep.include(503)
    expect((await fetch(`${url}/healthz`)).status).to.equal(200)
  }

  it('is filled by the shipped plugin, which cannot be disabled while in use', async () => {
    const { url } = await start({})
    const ada = await signUp(url, 'ada')
    await confirm(ada)
    const { status, body } = await ada.request('POST', '/api/admin/plugins/policy-cedar/disable')
    expect([status, body['code']]).to.deep.equal([409, 'plugin_in_use'])
  })

  it('is filled by another plugin if the shipped one is disabled', async () => {
    const { url } = await start({ plugins: [permissive], environment: withoutCedar })
    const ada = await signUp(url, 'ada')
    expect((await ada.request('GET', '/api/auth/me')).status).to.equal(200)
    expect((await ada.request('GET', '/api/admin/policies')).status).to.equal(403)
    expect((await fetch(`${url}/readyz`)).status).to.equal(200)
  })

  it('denies everything while it is empty, and names the plugin that could fill it', async () => {
    const empty = await start({ environment: withoutCedar })
    await expectDenial(empty)
    expect(reasonsIn(empty)).to.have.length(1)
    expect(reasonsIn(empty)[0]).to.match(/^no policy engine runs: plugin “policy-cedar” is disabled: disabled by plugins\.disabled/)
  })

  it('denies everything while two plugins claim it, and names both', async () => {
    const both = await start({ plugins: [permissive] })
    await expectDenial(both)
    expect(reasonsIn(both).at(-1)).to.match(/“policy-cedar” and “policy-permissive”.*list the others in plugins\.disabled/)
  })
})
