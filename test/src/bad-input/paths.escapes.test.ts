import { expect } from 'chai'
import { expectProblem } from './support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from './support/hostile-target.js'
import { fillPath, readOperations } from './support/operations.js'

const refused: Readonly<Record<string, (path: string) => string>> = {
  'an encoded NUL': (path) => `${path}%00`,
  'an encoded slash for a slash': (path) => path.replace(/\/([^/]*)$/, '%2F$1'),
  'an encoded backslash': (path) => `${path}%5c`,
  'a dot segment': (path) => path.replace(/^\/api/, '/api/../api'),
  'an encoded dot segment': (path) => path.replace(/^\/api/, '/api/%2e%2E/api'),
  'a double slash': (path) => path.replace(/^\/api/, '/api/'),
  'a double slash in front': (path) => `/${path}`,
  'a malformed escape': (path) => `${path}%zz`,
  'a cut escape': (path) => `${path}%e`,
  'invalid UTF-8': (path) => `${path}%ff`,
  'an overlong slash': (path) => `${path}%c0%af`,
  'a line break': (path) => `${path}%0d%0a`,
}

const unknown: Readonly<Record<string, (path: string) => string>> = {
  'capital letters': (path) => path.replace('/api', '/API'),
  'a capital in a word': (path) =>
    path.replace(/\/([a-z])([a-z]+)(\/|$)/, (_, first: string, rest: string, end: string) => `/${first.toUpperCase()}${rest}${end}`),
  'something more': (path) => `${path}/more/and/more`,
  'a parameter of a segment': (path) => path.replace(/^\/api/, '/api;v=1'),
}

describe('bad paths and methods, against every path of the API', function () {
  this.timeout(30_000)
  let target: HostileTarget
  let untouched: unknown
  let paths: ReadonlyMap<string, readonly string[]>
  let clients = 0

  before(async () => {
    target = await startHostileTarget()
    untouched = await target.state()
    const methods = new Map<string, readonly string[]>()
    for (const { path, method } of await readOperations(target.url)) methods.set(path, [...(methods.get(path) ?? []), method])
    paths = methods
  })
  after(() => target?.close())
  afterEach(async () => {
    expect(await target.state()).to.deep.equal(untouched)
  })

  const send = (path: string, method = 'GET') => {
    clients += 1
    return target.send(path, { method, token: target.admin.token }, { from: `127.2.${clients >> 8}.${clients & 255 || 1}` })
  }
  const filled = (path: string): string => fillPath(path, { ...target.own, id: 'nobody' })
  const apiPaths = (): readonly string[] => [...paths.keys()].filter((path) => path.startsWith('/api/'))

  for (const [name, change] of Object.entries(refused)) {
    it(`refuses ${name} with 400`, async () => {
      for (const path of apiPaths()) {
        const answer = await send(change(filled(path)))
        expect([answer.status, expectProblem(answer, path).code], change(path)).to.deep.equal([400, 'invalid_path'])
      }
    })
  }

  for (const [name, change] of Object.entries(unknown)) {
    it(`finds nothing at a path with ${name}`, async () => {
      for (const path of apiPaths()) {
        for (const method of ['GET', 'POST']) {
          const answer = await send(change(filled(path)), method)
          expect([answer.status, expectProblem(answer, path).code], `${method} ${change(path)}`).to.deep.equal([404, 'not_found'])
        }
      }
    })
  }

  it('finds nothing at unknown paths, whatever the method', async () => {
    for (const path of [
      '/api',
      '/api/nothing',
      '/api/agents/a/b/c',
      '/v1/nothing',
      '/.well-known/nothing',
      '/nothing',
      '/api/chats/%F0%9F%98%80/more',
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        const answer = await send(path, method)
        expect([answer.status, expectProblem(answer, path).code], `${method} ${path}`).to.deep.equal([404, 'not_found'])
      }
    }
  })

  it('answers a method that a path does not have with 405 and the methods that it has', async () => {
    for (const [path, methods] of paths) {
      const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter((each) => !allowed.includes(each))) {
        const answer = await send(filled(path), method)
        expect([answer.status, expectProblem(answer, path).code], `${method} ${path}`).to.deep.equal([405, 'method_not_allowed'])
        expect((answer.headers['allow'] ?? '').split(', '), `${method} ${path}`).to.have.members(allowed)
      }
    }
  })

  it('refuses targets that are not paths', async () => {
    for (const path of ['http://elsewhere.example/api/agents', '*', 'api/agents', '/api/agents#part', '']) {
      const answer = await send(path)
      expect(answer.status, path).to.equal(400)
      expect(expectProblem(answer, path).code, path).to.be.oneOf(['invalid_path', 'invalid_request_head'])
    }
  })

  it('refuses queries that are malformed, unknown, repeated or out of range', async () => {
    await target.refuses('/api/chats?limit=%zz', {}, 400, 'invalid_query')
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=1e2',
      'limit=0x10',
      'limit=',
      'limit=5&limit=5',
      'unknown=1',
      '__proto__=1',
      'token=abc',
      'cursor=damaged',
      'cursor=',
    ]) {
      const answer = await send(`/api/chats?${query}`)
      expect(answer.status, query).to.equal(422)
      expect(expectProblem(answer, query).code, query).to.be.oneOf(['invalid_request', 'cursor_invalid'])
    }
  })
})
