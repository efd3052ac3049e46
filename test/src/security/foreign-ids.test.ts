import { expect } from 'chai'
import { type Operation, readOperations } from '../bad-input/support/operations.js'
import type { Api } from '../support/api.js'
import { bearer } from './support/clients.js'
import { ask } from './support/foreign-ids/asking.js'
import { putFile, secretOf } from './support/foreign-ids/documents.js'
import { everythingOf } from './support/foreign-ids/everything.js'
import { absentId, type DocumentKind } from './support/foreign-ids/kinds.js'
import { foreignOutcome, outdatedOutcomes } from './support/foreign-ids/outcomes.js'
import { kindOf, outdatedPlaces, textPlaces, unnamedPlaces } from './support/foreign-ids/references.js'
import { type MarkedRequest, namesOf, requestsOf, unusedKinds } from './support/foreign-ids/requests.js'
import { type ForeignWorld, startForeignWorld } from './support/foreign-ids/world.js'

/** What an earlier one of these requests has already taken away: the entry was restored, the chat deleted for good. */
const goneByThen: ReadonlySet<string> = new Set(['deleteBinnedFile', 'restoreChat'])

describe("another person's documents, named in every place of every operation", function () {
  this.timeout(120_000)
  let world: ForeignWorld
  let operations: readonly Operation[]
  let requests: readonly MarkedRequest[]
  /** Those for which a sign-in is needed. */
  let closed: readonly MarkedRequest[]
  let untouched: Readonly<Record<string, string>>

  before(async () => {
    world = await startForeignWorld()
    operations = (await readOperations(world.url)).filter(({ auth }) => auth !== 'admin')
    requests = operations.flatMap(requestsOf).filter(({ operation }) => !operation.webSocket)
    closed = requests.filter(({ operation }) => operation.auth === 'user')
    untouched = await everythingOf(world.alice, operations, requests)
  })
  after(() => world?.close())

  const expectUntouched = async (): Promise<void> => {
    const now = await everythingOf(world.alice, operations, requests)
    const changed = Object.keys({ ...untouched, ...now }).filter((target) => now[target] !== untouched[target])
    expect(changed.map((target) => `${target}: ${untouched[target]} became ${now[target]}`)).to.deep.equal([])
  }
  const ofAlice = (kind: DocumentKind): string => world.alice.documents[kind]
  const absent = (kind: DocumentKind): string => absentId(ofAlice(kind))
  const nameOf = ({ operation, target, body }: MarkedRequest): string => `${operation.id}: ${operation.method} ${target} ${body ?? ''}`

  it('are known for each place: what it names, and a request that names it', () => {
    const unknown = operations.flatMap(textPlaces).filter((place) => kindOf(place) === 'unknown')
    expect(
      unknown.map(({ operation, in: where, name }) => `${operation.id}: ${name} in the ${where}`),
      'Say in support/foreign-ids/references.ts what these places name: a kind of document (kindsByName, kindsByPlace), or nothing of a person (namingNothing). A new kind also needs a document in documents.ts.',
    ).to.deep.equal([])
    expect(
      operations.flatMap((operation) => unnamedPlaces(operation, requestsOf(operation).map(namesOf))),
      'Give these places a request in support/foreign-ids/requests.ts (variants) that names the document.',
    ).to.deep.equal([])
    expect(
      outdatedPlaces(operations),
      'Remove these from support/foreign-ids/references.ts: no operation has them any more.',
    ).to.deep.equal([])
    const named = new Set(requests.flatMap(({ operation, kinds }) => kinds.map((kind) => `${operation.id} ${kind}`)))
    expect(outdatedOutcomes(named), 'Remove these from support/foreign-ids/outcomes.ts.').to.deep.equal([])
    // Terminals are WebSockets: foreign-streams.test.ts.
    expect(unusedKinds(requests), 'No request names these kinds.').to.deep.equal(['terminal'])
    expect(requests.length).to.be.greaterThan(160)
  })

  it('would be missed in a place that is not classified, and in one without a request', () => {
    const [known] = operations.filter(({ id }) => id === 'getChat')
    const added: Operation = {
      ...(known ?? expect.fail('There is no getChat.')),
      id: 'getPainting',
      path: '/api/chats/{chat_id}/paintings/{painting_id}',
      parameters: ['chat_id', 'painting_id'].map((name) => ({ name, in: 'path', schema: { type: 'string' } })),
      bodySchema: { type: 'object', properties: { frame: { type: 'object', properties: { space_id: { type: 'string' } } } } },
    }
    expect(
      textPlaces(added)
        .filter((place) => kindOf(place) === 'unknown')
        .map(({ name }) => name),
    ).to.deep.equal(['painting_id'])
    expect(unnamedPlaces(added, requestsOf(added).map(namesOf))).to.deep.equal(['getPainting space_id'])
  })

  it('8.2.2 are for another user what does not exist, one by one beside own documents, and all together', async () => {
    const { url, alice, mallory } = world
    const heads = requests
      .filter(({ operation }) => operation.method === 'GET')
      .map((request) => ({ ...request, operation: { ...request.operation, method: 'HEAD' } }))
    for (const request of [...requests, ...heads]) {
      // A webhook whose address is whole is public: its key is the permission.
      const together = request.operation.auth === 'user' && request.kinds.length > 1 ? [request.kinds] : []
      for (const foreign of [...request.kinds.map((kind) => [kind]), ...together]) {
        const idOf = (of: (kind: DocumentKind) => string) => (kind: DocumentKind) =>
          foreign.includes(kind) ? of(kind) : mallory.documents[kind]
        const seen = await ask(url, request, idOf(ofAlice), bearer(mallory.token))
        const expected = await ask(url, request, idOf(absent), bearer(mallory.token))
        const what = `${nameOf(request)} with ${foreign.join(', ')} of Alice`
        const [first = 'agent'] = foreign
        const { status, makesOwn = false } = foreign.length > 1 ? { status: expected.status } : foreignOutcome(request.operation.id, first)
        expect(seen.status, `${what}: ${seen.text}`).to.equal(status)
        expect(expected.status, `${what}, which does not exist`).to.equal(status)
        if (!makesOwn) expect(seen.text, what).to.equal(expected.text)
        expect(seen.text, what).to.not.include(secretOf('alice')).and.not.include(alice.userId)
      }
    }
    await expectUntouched()
  })

  const codeOf = (text: string): string | undefined => /\\"code\\":\\"(\w+)\\"/.exec(text)?.[1]

  it('8.2.2 are for an administrator what does not exist', async () => {
    const { url, admin } = world
    for (const request of closed) {
      const seen = await ask(url, request, ofAlice, bearer(admin.token))
      const expected = await ask(url, request, absent, bearer(admin.token))
      expect(seen.status, `${nameOf(request)}: ${seen.text}`).to.equal(expected.status)
      if (seen.status >= 300) expect(seen.text, nameOf(request)).to.equal(expected.text)
      expect(seen.text, nameOf(request)).to.not.include(secretOf('alice'))
    }
    await expectUntouched()
  })

  it('8.2.1 are nothing without a sign-in', async () => {
    for (const request of closed) {
      const { status, text } = await ask(world.url, request, ofAlice, {})
      expect([status, codeOf(text)], nameOf(request)).to.deep.equal([401, 'unauthenticated'])
    }
    await expectUntouched()
  })

  it('8.2.1 are not changed by a token that may only read', async () => {
    const { url, alice } = world
    const made = await alice.request('POST', '/api/auth/tokens', { name: 'reads', scopes: ['read'] })
    const reading = bearer(String(made.body['token']))
    const changing = closed.filter(({ operation }) => operation.method !== 'GET' && !operation.scopes.includes('read'))
    expect(changing.length).to.be.greaterThan(80)
    for (const request of changing) {
      const { status, text } = await ask(url, request, ofAlice, reading)
      expect([status, codeOf(text)], nameOf(request)).to.deep.equal([403, request.operation.session ? 'session_required' : 'forbidden'])
    }
    // A pre-signed URL only reads, and so may a token that reads make one.
    const others = closed.filter(({ operation }) => operation.method !== 'GET' && operation.scopes.includes('read'))
    expect(others.map(({ operation }) => operation.id)).to.deep.equal(['presignFile'])
    await alice.request('DELETE', `/api/auth/tokens/${String(made.body['id'])}`)
    await expectUntouched()
  })

  it('8.2.2 are not reached by a cursor of their list, or by the key of a request', async () => {
    const { alice, mallory } = world
    const lists = operations.filter(
      ({ path, method, parameters }) => method === 'GET' && !path.includes('{') && parameters.some(({ name }) => name === 'cursor'),
    )
    const cursors = await Promise.all(
      lists.map(async ({ path }) => [path, (await alice.request('GET', `${path}?limit=1`)).body['next_cursor']] as const),
    )
    const given = cursors.filter((each): each is readonly [string, string] => typeof each[1] === 'string')
    expect(given.length).to.be.greaterThan(5)
    for (const [path, cursor] of given) {
      const { status, body } = await mallory.request('GET', `${path}?cursor=${encodeURIComponent(cursor)}`)
      expect([200, 422], path).to.include(status)
      expect(JSON.stringify(body), path).to.not.include(secretOf('alice')).and.not.include(alice.userId)
    }
    for (const [path, body] of [
      ['/api/chats', { title: 'The same' }],
      ['/api/memory', { text: 'The same.' }],
    ] as const) {
      const [hers, other, again] = [
        await withKey(alice, path, body),
        await withKey(mallory, path, body),
        await withKey(mallory, path, body),
      ]
      expect(other, path).to.equal(again)
      expect(other, path).to.not.equal(hers)
    }
    untouched = await everythingOf(alice, operations, requests)
  })

  async function withKey(person: Api, path: string, body: object): Promise<string> {
    const answer = await fetch(`${world.url}${path}`, {
      method: 'POST',
      headers: { ...bearer(person.token), 'content-type': 'application/json', 'idempotency-key': 'the-same-key' },
      body: JSON.stringify(body),
    })
    expect(answer.status, path).to.equal(201)
    return ((await answer.json()) as { readonly id: string }).id
  }

  it('are found by the person whose they are: each of these requests reaches its document', async () => {
    const { url, alice } = world
    for (const request of closed.toSorted((one, other) => turnOf(one) - turnOf(other))) {
      if (goneByThen.has(request.operation.id)) continue
      if (request.kinds.includes('file')) await putFile(alice, ofAlice('file'))
      const { status, text } = await ask(url, request, ofAlice, bearer(alice.token))
      expect([401, 403, 404], `${nameOf(request)}: ${text}`).to.not.include(status)
    }
  })

  /** Reads come first, then changes, then what deletes: the innermost first, and the session of the test last. */
  const turnOf = ({ operation: { id, method, path } }: MarkedRequest): number => {
    if (method !== 'DELETE') return method === 'GET' ? 0 : 1
    return id === 'endSession' ? 1_000 : 100 - path.split('/').length
  }
})
