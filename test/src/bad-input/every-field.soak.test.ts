import { expect } from 'chai'
import { badBodies, badQueries, confusables } from './support/bad-values.js'
import { expectProblem, type ProblemBody, statusAt } from './support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from './support/hostile-target.js'
import { fillUnknownIds, type Operation, readOperations } from './support/operations.js'

/** What stands in a text field and is no mistake in itself. */
const oddTexts = ['\u202eeht\u200b \ud83d\ude00\u0301 ﷽', '__proto__', 'x'.repeat(20_000)]

/** They change what the service consists of, end it, or let who guesses at a password wait. */
const leftOut = new Set([
  'enablePlugin',
  'disablePlugin',
  'createBackup',
  'restart',
  'refreshCatalogue',
  'beginAccountSignIn',
  'confirmSession',
])

describe('every field of every operation, wrong in every way', function () {
  this.timeout(120_000)
  let target: HostileTarget
  let operations: readonly Operation[]
  let untouched: unknown
  let clients = 0

  before(async () => {
    target = await startHostileTarget({ httpLimits: { maxExpensivePerMinute: 100_000 } })
    operations = await readOperations(target.url)
    untouched = await target.state()
  })
  after(() => target?.close())

  /** As an administrator, each from an address of its own. */
  const send = ({ method, path }: Operation, { query = '', body }: { readonly query?: string; readonly body?: string }) => {
    clients += 1
    const from = `127.6.${clients >> 8}.${clients & 255 || 1}`
    const request = { method, token: target.admin.token, ...(body === undefined ? {} : { body }) }
    return target.send(`${fillUnknownIds(path)}${query}`, request, { from })
  }
  const problemOf = async (
    operation: Operation,
    sent: { readonly query?: string; readonly body?: string },
    what: string,
  ): Promise<ProblemBody> => expectProblem(await send(operation, sent), `${operation.id}: ${what}`)

  it('missing, extra, null, of another type, too large, confusable or repeated in a body: 422 with the path, and nothing changed', async () => {
    const withFields = operations.filter(({ bodySchema }) => bodySchema?.['type'] === 'object')
    expect(withFields.map(({ id }) => id)).to.include.members([
      'register',
      'login',
      'createToken',
      'createAgent',
      'changeUser',
      'createChat',
    ])
    let tried = 0
    await Promise.all(
      withFields.map(async (operation) => {
        for (const { what, text, path } of badBodies(operation)) {
          const { status, code, errors = [], detail } = await problemOf(operation, { body: text }, what)
          expect([operation.id, what, status, code], detail).to.deep.equal([
            operation.id,
            what,
            statusAt(operation.path, 422),
            'invalid_request',
          ])
          const named = errors.map((problem) => problem.path)
          if (path !== undefined)
            expect(
              named.some((each) => each === path || each.startsWith(`${path}/`)),
              `${operation.id}: ${what} named ${named.join(', ')}`,
            ).to.equal(true)
          tried += 1
        }
      }),
    )
    expect(tried).to.be.greaterThan(withFields.length * 5)
    expect(await target.state()).to.deep.equal(untouched)
  })

  it('unknown, repeated, of another type, too large or confusable in a query: 422, and nothing changed', async () => {
    let tried = 0
    // Balancers and monitors add parameters of their own to what they look at, vendors to the address
    // that they send people back to, messengers to links and webhooks, and clients of models to theirs.
    const open = [
      ...['listOpenAiModels', 'retrieveOpenAiModel', 'retrieveOwnedOpenAiModel'],
      ...['getLiveness', 'getReadiness', 'getMetrics', 'returnFromAccountSignIn', 'returnFromCredentialSignIn'],
      ...['getSharedContent', 'getSharedPage'],
      ...['getChannelWebhook', 'getChannelWebhookPart', 'postChannelWebhook', 'postChannelWebhookPart'],
    ]
    const asked = operations.filter(({ id }) => !open.includes(id))
    await Promise.all(
      asked.map(async (operation) => {
        for (const { what, query } of badQueries(operation)) {
          const { status, code } = await problemOf(operation, { query, ...(operation.hasBody ? { body: '{}' } : {}) }, what)
          expect([operation.id, what, status, code]).to.deep.equal([operation.id, what, statusAt(operation.path, 422), 'invalid_request'])
          tried += 1
        }
      }),
    )
    expect(tried).to.be.greaterThan(operations.length)
    expect(await target.state()).to.deep.equal(untouched)
  })

  it('too large as a whole: 413, and nothing changed', async () => {
    const padded = JSON.stringify({ padding: 'x'.repeat(1_100_000) })
    const ordinary = operations.filter(({ bodySchema, rateClass }) => bodySchema && rateClass !== 'expensive')
    for (const operation of ordinary) {
      const { status, code } = await problemOf(operation, { body: padded }, 'over 1 MiB')
      expect([operation.id, status, code]).to.deep.equal([operation.id, 413, 'body_too_large'])
    }
    expect(await target.state()).to.deep.equal(untouched)
  })

  it('a name that only looks like another one: refused as a username, and nothing changed', async () => {
    const places = operations.filter(({ id }) => ['register', 'createUser', 'changeUsername'].includes(id))
    expect(places).to.have.length(3)
    const lookalikes = [...confusables('ada'), ...confusables('ada1')]
    for (const username of [...lookalikes, 'ada１', 'ad\u0430', 'ada\u0301', 'ａｄａ', 'a\u00adda', 'ada\ufe0f', 'ⓐda'])
      for (const operation of places) {
        const body = JSON.stringify({ username, ...(operation.id === 'changeUsername' ? {} : { password: 'a long enough password' }) })
        const answer = await send(operation, { body })
        expect([operation.id, JSON.stringify(username), answer.status]).to.deep.equal([operation.id, JSON.stringify(username), 422])
        expectProblem(answer, username)
      }
    expect(await target.state()).to.deep.equal(untouched)
  })

  it('odd but allowed in a text: answered as declared, never with 5xx', async () => {
    const texts = operations.filter(({ id, bodySchema }) => bodySchema?.['type'] === 'object' && !leftOut.has(id))
    await Promise.all(
      texts.map(async (operation) => {
        const fields = Object.entries(
          (operation.bodySchema?.['properties'] ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>,
        )
        const required = (operation.bodySchema?.['required'] ?? []) as readonly string[]
        for (const [name, schema] of fields) {
          if (schema['type'] !== 'string') continue
          for (const text of oddTexts) {
            const others = Object.fromEntries(required.map((other) => [other, 'a-text-of-eight']))
            const answer = await send(operation, { body: JSON.stringify({ ...others, [name]: text }) })
            expect(answer.status, `${operation.id} ${name}: ${answer.text.slice(0, 300)}`).to.be.within(200, 499)
            if (answer.status >= 400) expectProblem(answer, `${operation.id} ${name}`)
          }
        }
      }),
    )
    expect(target.kernel.answers.violations).to.deep.equal([])
  })
})
