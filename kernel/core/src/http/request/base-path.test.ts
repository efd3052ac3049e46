import { createHash } from 'node:crypto'
import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { getRequest, rawRequest } from '../testing/raw-request.js'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'
import { basePathOf, basePathsOf, withoutBasePath } from './base-path.js'

describe('base paths', () => {
  it('are the paths of addresses as browsers send them', () => {
    for (const [address, expected] of [
      [undefined, ''],
      ['https://example.org', ''],
      ['https://example.org/', ''],
      ['https://example.org/agents', '/agents'],
      ['https://example.org/agents/', '/agents'],
      ['https://example.org/a/b//', '/a/b'],
      ['https://example.org/Büro 2', '/B%C3%BCro%202'],
    ] as const)
      expect(basePathOf(address), address).to.equal(expected)
    expect(basePathsOf(['https://a/x', undefined, 'https://b/x/', 'https://c/x/y', 'https://d'])).to.deep.equal(['/x/y', '/x'])
  })

  it('are removed once, by whole segments and without decoding', () => {
    for (const [raw, expected] of [
      ['/agents', '/'],
      ['/agents?a=/agents', '/?a=/agents'],
      ['/agents/', '/'],
      ['/agents/api/x?y', '/api/x?y'],
      ['/agents/agents/api', '/agents/api'],
      ['/agents//evil.example', '//evil.example'],
      ['/agents2/api', undefined],
      ['/%61gents/api', undefined],
      ['/api/agents', undefined],
      ['http://x/agents', undefined],
    ] as const)
      expect(withoutBasePath(raw, ['/agents/inner', '/agents']), raw).to.equal(expected)
    expect(withoutBasePath('/agents/inner/api', ['/agents/inner', '/agents'])).to.equal('/api')
    expect(withoutBasePath('/agents', [])).to.equal(undefined)
  })
})

const route = (path: string, foreign = false): HttpRoute =>
  defineRoute({
    method: 'GET',
    path,
    operationId: `get${createHash('sha256').update(path).digest('hex').slice(0, 8)}`,
    summary: 'Says what was asked',
    auth: 'public',
    ...(foreign && { foreign }),
    answers: { 200: { description: 'It.', schema: Type.Object({}, { additionalProperties: true }) }, 303: { description: 'Elsewhere.' } },
    handle: async ({ path: asked, rawTarget = '' }) => ok({ path: asked, rawTarget }),
  })

describe('requests below the path of a public address', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({
      routes: [route('/api/auth/config'), route('/api/things'), route('/hooks/in', true), route('/outside/own')],
      settings: {
        base_url: 'https://example.org/agents',
        frontend_url: 'https://example.org/ui',
        external_url: 'https://out.example/outside',
      },
    })
  })
  after(() => server.close())
  const get = async (target: string) => {
    const { status, body } = await rawRequest(server.port, getRequest(target))
    return { status, ...(JSON.parse(body) as { readonly path?: string; readonly rawTarget?: string; readonly code?: string }) }
  }

  it('are taken with and without it', async () => {
    for (const target of ['/api/things', '/agents/api/things', '/ui/api/things', '/outside/api/things'])
      expect(await get(target), target).to.deep.include({ status: 200, path: '/api/things' })
    expect(await get('/agents/hooks/in?a=1')).to.include({ status: 200, rawTarget: '/hooks/in?a=1' })
  })

  it('are refused below other paths, and below two', async () => {
    for (const target of [
      '/other/api/things',
      '/agents2/api/things',
      '/agents/agents/api/things',
      '/agents/ui/api/things',
      '/AGENTS/api/things',
    ])
      expect(await get(target), target).to.include({ status: 404, code: 'not_found' })
    for (const target of ['/agents//api/things', '/agents/../api/things', '/agents/%2e%2e/api/things'])
      expect(await get(target), target).to.include({ status: 400, code: 'invalid_path' })
  })

  it('go to a route that has such a path itself', async () => {
    expect(await get('/outside/own')).to.include({ status: 200, path: '/outside/own' })
  })

  it('get a location of the service relative to themselves, and any other as it is', async () => {
    for (const [target, location, expected] of [
      ['/things/new', '/things/1?a=b', '/things/1?a=b'],
      ['/new', '/things/a:b', '/things/a:b'],
      ['/things/new', 'sibling', '/things/sibling'],
    ] as const) {
      const end = server.add({ ...route(target), handle: async () => ({ status: 303, kind: 'empty', headers: { Location: location } }) })
      for (const base of ['', '/agents', '/outside']) {
        const answer = await server.fetch(`${base}${target}`, { redirect: 'manual' })
        const { href } = new URL(answer.headers.get('location') ?? '', `https://client.example${base}${target}`)
        expect(href).to.equal(`https://client.example${base}${expected}`)
      }
      await end()
    }
    for (const location of ['https://other.example/x', '//other.example/x']) {
      const end = server.add({ ...route('/away'), handle: async () => ({ status: 303, kind: 'empty', headers: { location } }) })
      expect((await server.fetch('/away', { redirect: 'manual' })).headers.get('location')).to.equal(location)
      await end()
    }
  })

  it('count for the limits of the path that they are taken for', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 60; count++)
      statuses.add((await get(count % 2 === 0 ? '/agents/api/auth/config' : '/api/auth/config')).status)
    expect([...statuses]).to.deep.equal([200, 429])
  })
})
