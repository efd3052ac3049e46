import fc from 'fast-check'
import type { HostileTarget } from './hostile-target.js'
import { fillPath, type Operation } from './operations.js'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND']

/** A request as bytes, whole or cut. */
export interface RandomRequest {
  readonly method: string
  readonly bytes: Uint8Array
  readonly from: string
  /** Less was sent than was announced. */
  readonly cut: boolean
}

/**
 * Requests to these operations and to what does not exist, of people and of strangers, right, wrong
 * and cut, each from an address of its own.
 */
export function randomRequests(operations: readonly Operation[], { ada, admin, own }: HostileTarget): fc.Arbitrary<RandomRequest> {
  const odd = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('%00', '%2F', '..', '%zz', '%', '//', ';', '__proto__'),
  )
  const escaped = fc
    .string({ unit: 'binary', maxLength: 12 })
    .map((text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  const id = fc.oneof(fc.constantFrom(own.agent_id, own.chat_id, own.run_id, own.space_id), escaped, fc.uuid())
  const known = fc.tuple(fc.constantFrom(...operations), id, id, id).map(([operation, agent_id, chat_id, run_id]) => ({
    method: operation.method,
    path: fillPath(operation.path, { agent_id, chat_id, run_id, space_id: chat_id, id: run_id }),
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
    'language',
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
