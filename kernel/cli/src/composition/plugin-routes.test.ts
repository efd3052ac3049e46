import type { DiscoveredPlugin, PluginHost, PluginReport, SwitchOptions } from '@agent-service/kernel-core/plugins'
import { Type, validate } from '@agent-service/sdk'
import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { expect } from 'chai'
import { createPluginRoutes } from './plugin-routes.js'

const report = (id: string, state: PluginReport['state'] = 'active'): PluginReport => ({
  ...{ id, version: '1.0.0', source: 'built-in', state, reason: state === 'active' ? null : 'disabled by an administrator' },
  ...{
    problems: state === 'active' ? [] : ['disabled by an administrator'],
    contributes: id === 'singer' ? ['tool'] : [],
    permissions: [{ kind: 'network', targets: ['example.org'], reason: 'Sings there.' }],
    started_ms: 0,
  },
})

const singer: DiscoveredPlugin = {
  ...{ status: 'valid', id: 'singer', version: '1.0.0', source: 'built-in', builtIn: true, root: '/', folder: '/' },
  manifest: {
    ...{ id: 'singer', apiVersion: 1, version: '1.0.0', description: 'Sings.', contributes: ['tool'] },
    ...{ provides: ['songs'], requires: ['notes'], optional: ['drums'], sections: { songs: Type.Object({}) } },
  },
}

/** What the API adds to a report. */
const described = (plugin: PluginReport) => ({
  ...plugin,
  ...(plugin.id === 'singer'
    ? { description: 'Sings.', locked: [], provides: ['songs'], requires: ['notes'], optional: ['drums'], settings: ['songs'] }
    : { description: null, locked: ['plugins.required lists “listener”'], provides: [], requires: [], optional: [], settings: [] }),
  contributions: plugin.contributes.map((point) => ({ point, keys: ['song'] })),
})

describe('the routes for plugins', () => {
  let events: unknown[]
  let host: Pick<PluginHost, 'report' | 'enable' | 'disable' | 'lockedBy'>
  beforeEach(() => {
    events = []
    const switched = async (id: string, enabled: boolean, { announce }: SwitchOptions = {}): Promise<void> => {
      await announce?.({ enabled: !enabled })
      events.push(`${enabled ? 'enabled' : 'disabled'} ${id}`)
    }
    host = {
      report: () => [report('listener'), report('singer')],
      lockedBy: (id) => (id === 'listener' ? ['plugins.required lists “listener”'] : []),
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
    const list = () => [{ key: 'song', pluginId: 'singer', value: {} }]
    const contributions = { list } as unknown as Pick<Contributions, 'list'>
    const route = createPluginRoutes({ host, audit, discovered: [singer], contributions }).find(
      (candidate) => candidate.operationId === operationId,
    )
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
    expect(await call('listPlugins')).to.deep.equal({
      items: [described(report('listener')), described(report('singer'))],
      next_cursor: null,
    })
  })

  it('note a switch in the audit log before it takes effect, and answer with what has changed', async () => {
    expect(await call('disablePlugin', 'singer')).to.deep.equal({
      stopped: ['listener', 'singer'],
      plugin: described(report('singer', 'disabled')),
    })
    expect(await call('enablePlugin', 'singer')).to.deep.equal(described(report('singer')))
    const [off, disabled, on, enabled] = events
    expect([disabled, enabled]).to.deep.equal(['disabled singer', 'enabled singer'])
    expect(off).to.deep.include({ kind: 'plugin.disabled', subjectId: 'singer', before: { enabled: true }, after: { enabled: false } })
    expect(on).to.deep.include({ kind: 'plugin.enabled', subjectId: 'singer', before: { enabled: false }, after: { enabled: true } })
  })
})
