import { validate } from '@agent-service/sdk'
import type { HttpRoute, RouteRequest, RouteResponse } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginTree } from './fixture.test.js'
import { createPluginRoutes } from './plugin-routes.js'

describe('the routes for plugins', () => {
  let tree: PluginTree
  beforeEach(async () => {
    createRecorder()
    tree = await createPluginTree()
    await tree.write({
      manifest: { id: 'singer', provides: ['song'], permissions: [{ kind: 'network', targets: ['example.org'], reason: 'Sings there.' }] },
      setup: `context.provide(ref('song'), 'la')`,
    })
    await tree.write({ manifest: { id: 'listener', requires: ['song'] } })
  })
  afterEach(() => tree.remove())

  const call = async (routes: readonly HttpRoute[], operationId: string, id?: string): Promise<unknown> => {
    const route = routes.find((candidate) => candidate.operationId === operationId)
    if (route === undefined) throw new Error(`no route ${operationId}`)
    expect(route.auth).to.equal('admin')
    const response: RouteResponse = await route.handle({ params: { id }, query: {} } as unknown as RouteRequest)
    if (response.kind !== 'json') throw new Error('not JSON')
    const schema = route.answers[response.status]?.schema
    expect(schema && validate(schema, response.json)).to.deep.equal([])
    return response.json
  }

  it('list, disable and enable, with answers that keep their schemas', async () => {
    const { host } = await createTestHost(tree)
    const routes = createPluginRoutes({ host, audit: { note: async () => undefined } })
    await host.start()
    const singer = {
      id: 'singer',
      version: '1.0.0',
      source: 'built-in',
      state: 'active',
      reason: null,
      contributes: [],
      permissions: [{ kind: 'network', targets: ['example.org'], reason: 'Sings there.' }],
      started_ms: 0,
    }
    const listed = (await call(routes, 'listPlugins')) as { readonly items: readonly { readonly id: string }[] }
    expect(listed).to.have.property('next_cursor', null)
    expect(listed.items.map(({ id }) => id)).to.deep.equal(['listener', 'singer'])
    expect(listed.items[1]).to.deep.equal(singer)
    expect(await call(routes, 'disablePlugin', 'singer')).to.deep.equal({
      stopped: ['listener', 'singer'],
      plugin: { ...singer, state: 'disabled', reason: 'disabled by an administrator' },
    })
    expect(await call(routes, 'enablePlugin', 'singer')).to.deep.equal(singer)
    await host.stop()
  })
})
