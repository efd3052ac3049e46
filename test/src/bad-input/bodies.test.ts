import { expect } from 'chai'
import { expectProblem, statusAt } from './support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from './support/hostile-target.js'
import { fillPath, type Operation, readOperations } from './support/operations.js'

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

const malformed: Readonly<Record<string, string | Uint8Array>> = {
  nothing: '',
  'a cut object': '{"title": "a"',
  'a missing value': '{"title": }',
  'a trailing comma': '{"title": "a",}',
  'single quotes': "{'title': 'a'}",
  'a second value': '{} {}',
  NaN: '{"title": NaN}',
  'a raw control character': '{"title": "a\u0001"}',
  'invalid UTF-8': Buffer.from('7b227469746c65223a22ff227d', 'hex'),
  'a cut character': Buffer.from('7b227469746c65223a22c3227d', 'hex'),
  'half a surrogate in UTF-8': Buffer.from('7b227469746c65223a22eda080227d', 'hex'),
  UTF16: Buffer.from('{"title":"a"}', 'utf16le'),
}

const wrong: Readonly<Record<string, string>> = {
  null: 'null',
  'a list': '[]',
  'a text': '"title"',
  'a number': '1e400',
  'an unknown member': '{"unknown_member": 1}',
  'members of prototypes': '{"constructor": {"prototype": {"admin": true}}, "toString": 1}',
  'wrong types': '{"title": {"a": 1}, "name": ["b"], "content": 5, "username": {}, "password": 7}',
  '100 levels': nested(100),
}

const wrongTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'plain text': { 'content-type': 'text/plain' },
  'a form': { 'content-type': 'application/x-www-form-urlencoded' },
  'another charset': { 'content-type': 'application/json; charset=utf-16' },
  'an unreadable type': { 'content-type': ';;=' },
  'two types': { 'content-type': 'application/json, text/html' },
  'a compressed body': { 'content-encoding': 'gzip' },
}

describe('bad bodies, against every operation with a body', function () {
  this.timeout(30_000)
  let target: HostileTarget
  let operations: readonly Operation[]
  let untouched: unknown
  let clients = 0

  before(async () => {
    target = await startHostileTarget()
    operations = (await readOperations(target.url)).filter(({ bodySchema }) => bodySchema !== undefined)
    untouched = await target.state()
  })
  after(() => target?.close())
  // Whatever was sent, nothing of it was kept, and the service goes on.
  afterEach(async () => {
    expect(await target.state()).to.deep.equal(untouched)
    expect((await target.send('/readyz')).status).to.equal(200)
  })

  /**
   * Each request from an address of its own, so that the limit of account routes does not answer
   * first.
   */
  const nextClient = (): string => {
    clients += 1
    return `127.1.${clients >> 8}.${clients & 255 || 1}`
  }
  const everywhere = async (
    cases: readonly (readonly [string, { readonly body: string | Uint8Array; readonly headers?: Readonly<Record<string, string>> }])[],
    status: number,
    code: string,
  ): Promise<void> => {
    await Promise.all(
      operations.map(async ({ method, path }) => {
        for (const [name, request] of cases) {
          const filled = fillPath(path, { ...target.own, id: 'nobody' })
          const answer = await target.send(filled, { method, token: target.admin.token, ...request }, { from: nextClient() })
          const what = `${method} ${path} with ${name}`
          const problem = expectProblem(answer, what)
          expect([problem.status, problem.code], `${what}: ${problem.detail}`).to.deep.equal([statusAt(path, status), code])
        }
      }),
    )
  }

  it('covers every operation with a body', () => {
    expect(operations.map(({ id }) => id)).to.include.members([
      'register',
      'login',
      'createAgent',
      'updateAgent',
      'createChat',
      'updateChat',
      'createMessage',
    ])
  })

  it('answers malformed JSON with 400', () =>
    everywhere(
      Object.entries(malformed).map(([name, body]) => [name, { body }]),
      400,
      'malformed_json',
    ))

  it('answers 101 levels, and far more, with 400', () =>
    everywhere(
      [101, 20_000].map((levels) => [`${levels} levels`, { body: nested(levels) }]),
      400,
      'nesting_too_deep',
    ))

  it('answers wrong types, unknown members and 100 levels with 422 and the paths', () =>
    everywhere(
      Object.entries(wrong).map(([name, body]) => [name, { body }]),
      422,
      'invalid_request',
    ))

  it('names each member that is wrong', async () => {
    const { errors } = await target.refuses(
      '/api/agents',
      { method: 'POST', body: '{"name": 5, "unknown_member": 1}' },
      422,
      'invalid_request',
    )
    expect(errors?.map(({ path }) => path)).to.include.members(['/name', '/unknown_member'])
  })

  it('answers unsupported content types and encodings with 415', () =>
    everywhere(
      Object.entries(wrongTypes).map(([name, headers]) => [name, { body: '{}', headers }]),
      415,
      'unsupported_media_type',
    ))

  it('answers announced lengths over the limit before the body arrives', () =>
    everywhere([['1 GB announced', { body: '', headers: { 'content-length': '1000000000' } }]], 413, 'body_too_large'))

  it('answers lengths that are not numbers, and repeated lengths, with 400', async () => {
    for (const lengths of [
      'Content-Length: 2\r\nContent-Length: 3',
      'Content-Length: -1',
      'Content-Length: 1e3',
      'Content-Length: 2, 2',
      'Content-Length: 2\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: gzip, identity',
    ]) {
      const answer = await target.send(`/api/chats HTTP/1.1\r\nX-Pad: 1\r\n${lengths}\r\nX-Rest:`, {
        method: 'POST',
        token: target.ada.token,
      })
      expect([answer.status, expectProblem(answer, lengths).code], lengths).to.deep.equal([400, 'invalid_request_head'])
    }
  })
})
