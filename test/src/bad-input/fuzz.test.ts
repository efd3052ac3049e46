import { expect } from 'chai'
import fc from 'fast-check'
import { seedOfRun } from '../support/random.js'
import { expectProblem } from './support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from './support/hostile-target.js'
import { fillPath, type Operation, readOperations } from './support/operations.js'
import { sendBytes } from './support/raw-http.js'

const durationMs = 10_000
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND']
/** They change what the service consists of, or copy everything; others test them. */
const leftOut = new Set(['enablePlugin', 'disablePlugin', 'createBackup'])

describe('random requests', function () {
  this.timeout(60_000)
  const seed = seedOfRun()
  let target: HostileTarget
  let operations: readonly Operation[]

  before(async () => {
    target = await startHostileTarget({ httpLimits: { bodyIdleMs: 300, jsonArrivalMs: 600, headersTimeoutMs: 500 } })
    operations = (await readOperations(target.url)).filter(({ id }) => !leftOut.has(id))
  })
  after(() => target?.close())

  it(`are answered as declared, never with 5xx, never with silence (SEED=${seed})`, async () => {
    let sent = 0
    const seen = new Map<number, number>()
    const deadline = Date.now() + durationMs
    await fc.assert(
      fc.asyncProperty(requests(operations, target), async (request) => {
        if (Date.now() > deadline) return
        const answer = await sendBytes(target.url, request.bytes, { from: request.from, endWrites: request.cut, limitMs: 8_000 })
        sent += 1
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
        const what = `${JSON.stringify(Buffer.from(request.bytes).toString('latin1').slice(0, 2_000))} → ${answer.text.slice(0, 500)}`
        // A request that was cut may end without an answer, any other may not.
        if (answer.status === 0) expect(request.cut, what).to.equal(true)
        expect(answer.status, what).to.be.below(500)
        if (answer.status >= 400 && request.method !== 'HEAD') expectProblem(answer, what)
        else if (answer.status >= 400) expect(answer.headers['content-type'], what).to.equal('application/problem+json')
      }),
      { seed, numRuns: 1_000_000, interruptAfterTimeLimit: durationMs, markInterruptAsFailure: false, endOnFailure: true },
    )
    expect(target.kernel.answers.violations).to.deep.equal([])
    expect(sent).to.be.above(200)
    // The requests reached something: some were done, and each way of refusing was seen.
    expect([...seen.keys()]).to.include.members([200, 400, 401, 404, 405, 422])
    const inside = target.kernel.log.filter(({ level }) => level === 'error' || level === 50)
    expect(inside).to.deep.equal([])
    expect((await target.send('/readyz')).status).to.equal(200)
  })
})

interface RandomRequest {
  readonly method: string
  readonly bytes: Uint8Array
  readonly from: string
  /** Less was sent than was announced. */
  readonly cut: boolean
}

function requests(operations: readonly Operation[], { ada, admin, own }: HostileTarget): fc.Arbitrary<RandomRequest> {
  const odd = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('%00', '%2F', '..', '%zz', '%', '//', ';', '__proto__'),
  )
  const escaped = fc
    .string({ unit: 'binary', maxLength: 12 })
    .map((text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  const id = fc.oneof(fc.constantFrom(own.agent_id, own.chat_id, own.run_id), escaped, fc.uuid())
  const known = fc.tuple(fc.constantFrom(...operations), id, id, id).map(([operation, agent_id, chat_id, run_id]) => ({
    method: operation.method,
    path: fillPath(operation.path, { agent_id, chat_id, run_id, id: run_id }),
  }))
  const lost = fc
    .tuple(
      fc.constantFrom(...methods),
      fc.oneof(
        fc.webPath(),
        odd.map((text) => `/api/${text}`),
        odd,
      ),
    )
    .map(([method, path]) => ({ method, path }))
  const wrongMethod = fc.tuple(known, fc.constantFrom(...methods)).map(([{ path }, method]) => ({ method, path }))
  const place = fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: wrongMethod }, { weight: 1, arbitrary: lost })
  const pair = fc.tuple(
    fc.oneof(fc.constantFrom('limit', 'cursor', 'after', 'chat_id', 'token', '__proto__'), odd),
    fc.oneof(fc.integer().map(String), escaped, odd),
  )
  const query = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.array(pair, { maxLength: 3 }).map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
    },
  )
  const member = fc.constantFrom(
    'name',
    'handle',
    'title',
    'content',
    'agent_id',
    'username',
    'password',
    'tools',
    'enabled',
    'model_group',
    'role',
    'email',
    'timezone',
    '__proto__',
    'unknown',
  )
  const object = fc
    .dictionary(member, fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.jsonValue({ maxDepth: 2 }), id), { maxKeys: 4 })
    .map((value) => JSON.stringify(value))
  const body = fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 5, arbitrary: object },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 50 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 5_000 }).map((levels) => '['.repeat(levels)) },
  )
  const visible = fc.string({ maxLength: 30 }).map((text) => text.replace(/[^\x20-\x7e]/g, ''))
  const header = fc.oneof(
    fc.tuple(
      fc.constantFrom(
        'Idempotency-Key',
        'Last-Event-ID',
        'X-Request-Id',
        'Origin',
        'Cookie',
        'If-Match',
        'Accept',
        'X-Forwarded-For',
        'Expect',
        'Range',
      ),
      visible,
    ),
    fc.constantFrom<[string, string]>(
      ['Content-Type', 'text/plain'],
      ['Content-Encoding', 'gzip'],
      ['Cookie', 'refresh_token=a.b.c'],
      ['Expect', '100-continue'],
      ['Origin', 'null'],
    ),
  )
  const credential = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(ada.token, ada.token, admin.token) },
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: visible },
  )
  return fc
    .record({
      place,
      query,
      body,
      headers: fc.array(header, { maxLength: 3 }),
      credential,
      client: fc.integer({ min: 1, max: 60_000 }),
      cut: fc.boolean(),
      cutAt: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ place: { method, path }, query: search, body: content, headers, credential: token, client, cut, cutAt }) => {
      const raw = content === undefined ? undefined : Buffer.from(content)
      const named = headers.map(([name]) => name.toLowerCase())
      const lines = [
        `${method} ${path}${search} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
        ...(raw === undefined ? [] : [`Content-Length: ${raw.length}`]),
        ...(raw === undefined || named.includes('content-type') ? [] : ['Content-Type: application/json']),
        ...headers.map(([name, value]) => `${name}: ${value}`),
      ]
      const whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), raw ?? Buffer.alloc(0)])
      const short = cut && client % 10 === 0
      const bytes = short ? whole.subarray(0, Math.max(1, Math.floor(whole.length * cutAt))) : whole
      return { method, bytes, cut: bytes.length < whole.length, from: `127.3.${client >> 8}.${client & 255 || 1}` }
    })
}
