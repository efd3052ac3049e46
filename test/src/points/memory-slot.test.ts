import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel } from '@agent-service/kernel/testing'
import { definePlugin } from '@agent-service/sdk'
import { expect } from 'chai'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { confirm, signUp } from '../support/api.js'
import { backendManifest } from './support/memory-backend-plugin.js'

describe('the slot for memory', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-slot-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const statesWith = async (environment: Readonly<Record<string, string>>, plugins: readonly string[]) => {
    const kernel = await createTestKernel({ plugins, environment })
    try {
      const ada = await signUp(kernel.url, 'ada')
      const { body } = await ada.request('GET', '/api/admin/plugins?limit=200')
      const items = body['items'] as readonly { readonly id: string; readonly state: string; readonly reason: string | null }[]
      await confirm(ada)
      const refused = await ada.request('POST', '/api/admin/plugins/memory-fleeting/disable')
      const warnings = kernel.log.filter(({ msg, message }) => (msg ?? message) === 'A slot stays empty.')
      return { states: new Map(items.map(({ id, state, reason }) => [id, `${state}: ${reason}`])), refused, warnings }
    } finally {
      await kernel.stop()
    }
  }

  it('is filled by “basic” unless the configuration says otherwise, without a warning', async () => {
    const { states, warnings } = await statesWith({}, [])
    expect(states.get('feature-memory')).to.equal('active: null')
    expect(states.get('memory-basic')).to.equal('ready: null')
    expect(warnings).to.deep.equal([])
  })

  it('is filled by the configured third-party plugin, which cannot be disabled meanwhile', async () => {
    const module = new URL('./support/memory-backend-plugin.js', import.meta.url)
    const plugins = [
      await writeTestPlugin(path.join(folder, 'fleeting'), definePlugin({ manifest: backendManifest, setup: () => undefined }), module),
    ]
    const picked = await statesWith({ SERVICE_MEMORY__BACKEND: 'fleeting' }, plugins)
    expect(picked.states.get('memory-fleeting')).to.equal('active: null')
    expect(picked.states.get('memory-basic')).to.equal('disabled: not selected by memory.backend (which is “fleeting”)')
    expect(picked.refused.status).to.equal(409)
    expect(picked.refused.body).to.include({ code: 'plugin_in_use' })
    const usual = await statesWith({}, plugins)
    expect(usual.states.get('memory-fleeting')).to.equal('disabled: not selected by memory.backend (which is “basic”)')
  })

  it('refuses values that no plugin has', async () => {
    const error: unknown = await createTestKernel({ environment: { SERVICE_MEMORY__BACKEND: 'absent' } }).catch((reason: unknown) => reason)
    expect(error).to.be.an('error').with.property('message').that.includes('memory.backend')
  })
})
