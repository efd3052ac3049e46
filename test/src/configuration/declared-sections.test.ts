import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'

/** One field of each section whose plugin has no code yet. */
const settings: Readonly<Record<string, readonly [field: string, value: string]>> = {
  SERVICE_APP_MAX_RESTART_ATTEMPTS: ['app', '3'],
  SERVICE_MCP_ENABLED: ['mcp', 'false'],
  SERVICE_SIGNAL_MAX_PENDING_PER_USER: ['signal', '5'],
  SERVICE_VOICE_PROVIDER: ['voice', 'telephony'],
}

const owners = [...['feature-apps', 'feature-mcp', 'feature-signals', 'feature-voice']]

const linesAbout = ({ log }: TestKernel, text: string): readonly string[] =>
  log.map((line) => String(line['msg'])).filter((message) => message.includes(text))

describe('sections whose plugin is declared only', () => {
  let kernel: TestKernel
  let admin: Api

  before(async () => {
    kernel = await createTestKernel({
      environment: Object.fromEntries(Object.entries(settings).map(([variable, [, value]]) => [variable, value])),
    })
    admin = await signUp(kernel.url, 'ada')
    await confirm(admin)
  })

  after(() => kernel.stop())

  it('are warned of once each when one of their fields is set', () => {
    const warned = linesAbout(kernel, 'has no effect: The code that reads it is not part of this version.')
    expect(warned.map((line) => line.split(':')[0]).sort()).to.deep.equal(
      Object.values(settings)
        .map(([section]) => section)
        .sort(),
    )
    for (const [variable, [section]] of Object.entries(settings))
      expect(warned.join('\n')).to.match(new RegExp(`^${section}: .* \\(${variable}\\)$`, 'm'))
  })

  it('are not warned of in a configuration that leaves them alone', async () => {
    const other = await createTestKernel()
    try {
      expect(linesAbout(other, 'has no effect')).to.deep.equal([])
    } finally {
      await other.stop()
    }
  })

  it('belong to plugins that are listed as declared, contribute nothing, and say why', async () => {
    const { body } = await admin.request('GET', '/api/admin/plugins?limit=200')
    const items = body['items'] as readonly Readonly<Record<string, unknown>>[]
    for (const id of owners) {
      const plugin = items.find((item) => item['id'] === id)
      expect(plugin, id).to.deep.include({ state: 'declared', contributes: [], started_ms: null })
      expect(plugin?.['reason'], id).to.match(/its code does not exist yet/)
    }
  })

  it('belong to plugins that cannot be enabled', async () => {
    for (const id of owners) {
      const { status, body } = await admin.request('POST', `/api/admin/plugins/${id}/enable`)
      expect([status, body['code']], id).to.deep.equal([409, 'not_implemented_yet'])
    }
  })
})
