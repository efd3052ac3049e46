import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { sampleOf } from './support/bad-values.js'
import { type HostileTarget, startHostileTarget } from './support/hostile-target.js'
import { fillUnknownIds, type Operation, readOperations } from './support/operations.js'

/** One text of a body with half a surrogate pair, which JSON can write as an escape and UTF-8 cannot encode. */
interface HalfBody {
  readonly text: string
  /** Of the text, as a JSON pointer. */
  readonly path: string
}

const half = 'a text \ud83d'
const maxDepth = 6

/** Bodies that each have one such text: in every text member that the schema has, and as the name of a member. */
function* halfBodies(schema: JsonObject, depth = 0): Generator<{ readonly value: JsonValue; readonly path: string }> {
  if (depth > maxDepth) return
  for (const branch of (schema['anyOf'] ?? []) as readonly JsonObject[]) yield* halfBodies(branch, depth + 1)
  if (schema['type'] === 'string') yield { value: half, path: '' }
  if (schema['type'] === 'array')
    for (const { value, path } of halfBodies((schema['items'] ?? {}) as JsonObject, depth + 1)) yield { value: [value], path: `/0${path}` }
  if (schema['type'] !== 'object') return
  const sample = sampleOf(schema) as JsonObject
  for (const [name, member] of Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>))
    for (const { value, path } of halfBodies(member, depth + 1)) yield { value: { ...sample, [name]: value }, path: `/${name}${path}` }
  const others = schema['additionalProperties'] ?? schema['patternProperties']
  if (others !== undefined && others !== false) yield { value: { ...sample, [half]: 'x' }, path: '' }
}

const bodiesOf = ({ bodySchema }: Operation): readonly HalfBody[] =>
  [...halfBodies(bodySchema ?? {})].map(({ value, path }) => ({ path, text: JSON.stringify(value) }))

/** They read texts of programs that cut them anywhere, and of other services. */
const repairing = (path: string): boolean => path.startsWith('/v1/') || path === '/api/chats/import'
const problemsOf = (text: string): readonly { readonly path: string }[] => {
  try {
    return (JSON.parse(text) as { readonly errors?: readonly { readonly path: string }[] }).errors ?? []
  } catch {
    return []
  }
}
/** They end the service, or ask for a confirmation. */
const leftOut = new Set(['restart', 'enablePlugin', 'disablePlugin', 'createBackup', 'refreshCatalogue'])

describe('half a surrogate pair', function () {
  this.timeout(120_000)
  let target: HostileTarget
  let operations: readonly Operation[]
  let clients = 0

  before(async () => {
    target = await startHostileTarget({ httpLimits: { maxExpensivePerMinute: 100_000 } })
    operations = await readOperations(target.url)
  })
  after(() => target?.close())

  const send = ({ method, path }: Operation, { query = '', body }: { readonly query?: string; readonly body?: string }) => {
    clients += 1
    const from = `127.7.${clients >> 8}.${clients & 255 || 1}`
    const request = { method, token: target.admin.token, ...(body === undefined ? {} : { body }) }
    return target.send(`${fillUnknownIds(path)}${query}`, request, { from })
  }

  it('in any text of any body is refused with its path; where programs write, it is repaired', async () => {
    const failed: string[] = []
    let tried = 0
    for (const operation of operations.filter(({ id, bodySchema }) => bodySchema !== undefined && !leftOut.has(id)))
      await Promise.all(
        bodiesOf(operation).map(async ({ text, path }) => {
          tried += 1
          const answer = await send(operation, { body: text })
          const named = problemsOf(answer.body).map((problem) => problem.path)
          const what = `${operation.id} ${path}: ${answer.status} ${answer.body.slice(0, 200)}`
          if (
            repairing(operation.path)
              ? answer.status >= 500 || answer.body.includes('surrogate')
              : answer.status !== 422 || !named.includes(path)
          )
            failed.push(what)
        }),
      )
    expect(failed.join('\n')).to.equal('')
    expect(tried).to.be.greaterThan(200)
  })

  it('in invalid UTF-8 is refused as a path, a query and a header', async () => {
    const failed: string[] = []
    for (const operation of operations.filter(({ id }) => !leftOut.has(id))) {
      const named = operation.parameters.find((parameter) => parameter.in === 'query')
      if (named) {
        const answer = await send(operation, { query: `?${named.name}=%ed%a0%bd` })
        if (answer.status >= 500) failed.push(`${operation.id} ?${named.name}: ${answer.status}`)
      }
    }
    expect(failed).to.deep.equal([])
  })
})
