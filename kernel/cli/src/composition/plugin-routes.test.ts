import type { PluginHost, PluginReport, SwitchOptions } from '@agent-service/kernel-core/plugins'
import { validate } from '@agent-service/sdk'
import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createPluginRoutes } from './plugin-routes.js'

const report = (id: string, state: PluginReport['state'] = 'active'): PluginReport => ({
  ...{ id, version: '1.0.0', source: 'built-in', state, reason: state === 'active' ? null : 'disabled by an administrator' },
  ...{ contributes: [], permissions: [{ kind: 'network', targets: ['example.org'], reason: 'Sings there.' }], started_ms: 0 },
})

describe('the routes for plugins', () => {
  let events: unknown[]
  let host: Pick<PluginHost, 'report' | 'enable' | 'disable'>
  beforeEach(() => {
    events = []
    const switched = async (id: string, enabled: boolean, { announce }: SwitchOptions = {}): Promise<void> => {
      await announce?.({ enabled: !enabled })
      events.push(`${enabled ? 'enabled' : 'disabled'} ${id}`)
    }
    host = {
      report: () => [report('listener'), report('singer')],
      async enable(id, options) {
        await switched(id, true, options)
        return report(id)
      },
      async disable(id, options) {
        await switched(id, false, options)
        return { stopped: ['listener', id], report: report(id, 'disabled') }
      },
    }
  })

  const call = async (operationId: string, id?: string): Promise<unknown> => {
    const audit = { note: async (entry: unknown) => void events.push(entry) }
    const route = createPluginRoutes({ host, audit }).find((candidate) => candidate.operationId === operationId)
    if (route === undefined) throw new Error(`no route ${operationId}`)
    expect(route.auth).to.equal('admin')
    const principal = { kind: 'user', userId: 'ada' }
    const response = await route.handle({ params: { id }, query: {}, principal, address: '::1' } as unknown as RouteRequest)
    if (response.kind !== 'json') throw new Error('not JSON')
    const schema = route.answers[response.status]?.schema
    expect(schema && validate(schema, response.json)).to.deep.equal([])
    return response.json
  }

  it('list all plugins with their states', async () => {
    expect(await call('listPlugins')).to.deep.equal({ items: [report('listener'), report('singer')], next_cursor: null })
  })

  it('note a switch in the audit log before it takes effect, and answer with what has changed', async () => {
    expect(await call('disablePlugin', 'singer')).to.deep.equal({ stopped: ['listener', 'singer'], plugin: report('singer', 'disabled') })
    expect(await call('enablePlugin', 'singer')).to.deep.equal(report('singer'))
    const [off, disabled, on, enabled] = events
    expect([disabled, enabled]).to.deep.equal(['disabled singer', 'enabled singer'])
    expect(off).to.deep.include({ kind: 'plugin.disabled', subjectId: 'singer', before: { enabled: true }, after: { enabled: false } })
    expect(on).to.deep.include({ kind: 'plugin.enabled', subjectId: 'singer', before: { enabled: false }, after: { enabled: true } })
  })
})
