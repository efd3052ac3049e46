import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { startTestServer } from '../testing/start-test-server.js'
import { createDispatchTable } from './dispatch-table.js'

let count = 0
const route = (method: HttpRoute['method'], path: string, changes: Partial<HttpRoute> = {}): HttpRoute => {
  count++
  return {
    ...defineRoute({
      method,
      path,
      operationId: `operation${count}`,
      summary: 'Route',
      auth: 'public',
      answers: { 200: { description: 'Its path.', schema: Type.Unknown() } },
      handle: async ({ params }) => ok({ route: path, params }),
    }),
    ...changes,
  }
}

describe('route table', () => {
  it('finds the same route whatever the order: a literal segment before a parameter, from the left', () => {
    const paths = ['/a/{x}/c', '/a/b/{y}', '/a/b/c', '/{any}/b/c', '/a/{x}', '/a.b/c+d/{x}', '/']
    const expected: Readonly<Record<string, string | undefined>> = {
      '/a/b/c': '/a/b/c',
      '/a/b/d': '/a/b/{y}',
      '/a/q/c': '/a/{x}/c',
      '/z/b/c': '/{any}/b/c',
      '/a/b': '/a/{x}',
      '/a/b/': undefined,
      '/A/b': undefined,
      '/aXb/c+d/1': undefined,
      '/a.b/c+d/1': '/a.b/c+d/{x}',
      '/': '/',
    }
    for (const order of [paths, [...paths].reverse()]) {
      const table = createDispatchTable()
      for (const path of order) table.add(route('GET', path), { id: 'kernel' })
      for (const [path, want] of Object.entries(expected)) {
        expect(table.current().match(path)?.find('GET')?.entry.route.path, path).to.equal(want)
      }
    }
  })

  it('gives each method its own parameter names', () => {
    const table = createDispatchTable()
    table.add(route('GET', '/things/{id}'), { id: 'a' })
    table.add(route('DELETE', '/things/{thing_id}'), { id: 'b' })
    expect(table.current().match('/things/7')?.find('GET')?.params).to.deep.equal({ id: '7' })
    expect(table.current().match('/things/7')?.find('DELETE')?.params).to.deep.equal({ thing_id: '7' })
    expect(table.current().match('/things/7')?.allowed).to.deep.equal(['DELETE', 'GET', 'HEAD', 'OPTIONS'])
  })

  it('refuses an overlap and names both owners', () => {
    const table = createDispatchTable()
    table.add(route('GET', '/things/{id}'), { id: 'first' })
    expect(() => table.add(route('GET', '/things/{name}'), { id: 'second' }))
      .to.throw(/“second”.*“first”/)
      .with.property('code', 'route_conflict')
    expect(() => table.add(route('POST', '/other', { operationId: table.list()[0]?.route.operationId ?? '' }), { id: 'second' }))
      .to.throw()
      .with.property('code', 'route_conflict')
    expect(table.list()).to.have.length(1)
  })

  it('takes a route again, under its operation, once the other one is removed', () => {
    const table = createDispatchTable()
    const remove = table.add(route('GET', '/things/{id}', { operationId: 'readThing' }), { id: 'first' })
    expect(() => table.add(route('GET', '/things/{name}', { operationId: 'readOther' }), { id: 'second' })).to.throw()
    expect(() => table.add(route('GET', '/others', { operationId: 'readThing' }), { id: 'second' })).to.throw()
    void remove()
    table.add(route('GET', '/things/{name}', { operationId: 'readOther' }), { id: 'second' })
    table.add(route('GET', '/others', { operationId: 'readThing' }), { id: 'second' })
    void remove()
    expect(() => table.add(route('GET', '/others', { operationId: 'again' }), { id: 'third' })).to.throw()
    expect(table.list()).to.have.length(2)
  })

  it('refuses routes outside the owner’s prefixes, comparing whole segments', () => {
    const table = createDispatchTable()
    const owner = { id: 'third-party', prefixes: ['/api/plugins/third-party/'] }
    table.add(route('GET', '/api/plugins/third-party/x'), owner)
    for (const path of ['/api/plugins/third-partyx', '/api/plugins/other/x', '/api/plugins', '/{any}/plugins/third-party']) {
      expect(() => table.add(route('GET', path), owner))
        .to.throw()
        .with.property('code', 'route_not_owned')
    }
    expect(() => table.add(route('GET', '/x'), { id: 'none', prefixes: [] })).to.throw('may use: none')
  })

  const invalid: Readonly<Record<string, HttpRoute>> = {
    'does not begin with a slash': route('GET', 'api'),
    'an empty segment': route('GET', '/api//x'),
    'a trailing slash': route('GET', '/api/'),
    'half a parameter': route('GET', '/api/x{id}'),
    'a wildcard': route('GET', '/api/%2e'),
    'a parameter twice': route('GET', '/api/{id}/{id}'),
    'undeclared parameters': route('GET', '/api/{id}', { params: Type.Object({ name: Type.String() }) }),
    'surplus parameters': route('GET', '/api/{id}', { params: Type.Object({ id: Type.String(), name: Type.String() }) }),
    'a body on GET': route('GET', '/api/x', { body: { kind: 'json', schema: Type.Object({}) } }),
    'a limit of nothing': route('POST', '/api/x', { body: { kind: 'json', schema: Type.Object({}), limit: 0 } }),
    'an idempotent PUT': route('PUT', '/api/x', { idempotent: true }),
    'an unknown level': route('GET', '/api/x', { auth: 'root' as 'user' }),
    'a presignable POST': route('POST', '/api/x', { presignable: true, query: Type.Object({}) }),
    'a presignable public route': route('GET', '/api/x', { presignable: true, auth: 'public', query: Type.Object({}) }),
    'a presignable admin route': route('GET', '/api/x', { presignable: true, auth: 'admin', query: Type.Object({}) }),
    'a presignable route of another scope': route('GET', '/api/x', {
      presignable: true,
      auth: 'user',
      scope: 'write',
      query: Type.Object({}),
    }),
    'a presignable stream': route('GET', '/api/x', { presignable: true, auth: 'user', streaming: true, query: Type.Object({}) }),
    'a presignable route that changes something': route('GET', '/api/x', {
      ...{ presignable: true, auth: 'user', changes: true },
      query: Type.Object({}),
    }),
    'a presignable route without a query': route('GET', '/api/x', { presignable: true, auth: 'user' }),
    'a presignable route with a parameter of that name': route('GET', '/api/x', {
      ...{ presignable: true, auth: 'user' },
      query: Type.Object({ presign: Type.String() }),
    }),
    'no answers': route('GET', '/api/x', { answers: {} }),
  }
  for (const [what, definition] of Object.entries(invalid)) {
    it(`refuses a route with ${what}`, () => {
      expect(() => createDispatchTable().add(definition, { id: 'x' }))
        .to.throw()
        .with.property('code', 'route_invalid')
    })
  }

  it('adds and removes with the next request, and answers 503 while the owner stops', async () => {
    const server = await startTestServer()
    let stopping = false
    let held = 0
    const owner = {
      id: 'plugin',
      prefixes: ['/api/plugin'],
      acquire: () => {
        if (stopping) return undefined
        held++
        return { signal: new AbortController().signal, release: () => void held-- }
      },
    }
    try {
      for (let round = 0; round < 10; round++) {
        stopping = false
        expect((await server.fetch('/api/plugin/x')).status).to.equal(404)
        const remove = server.add(route('GET', '/api/plugin/x'), owner)
        expect((await server.fetch('/api/plugin/x')).status).to.equal(200)
        stopping = true
        expect((await server.fetch('/api/plugin/x')).status).to.equal(503)
        await remove()
        await remove()
      }
      expect(held).to.equal(0)
      expect(server.table.list().some(({ owner: id }) => id === 'plugin')).to.equal(false)
    } finally {
      await server.close()
    }
  })
})
