import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { expectProblem, statusAt } from '../bad-input/support/expect-problem.js'
import { everythingOf, type HostileTarget, startHostileTarget } from '../bad-input/support/hostile-target.js'
import { fillPath, readOperations } from '../bad-input/support/operations.js'
import { confirm } from '../support/api.js'
import { readDescription } from '../support/api-description.js'
import { type BodyOperation, bodyOperations, memberNames, withMembers } from './support/described-bodies.js'

/** What a record knows of who it belongs to, what it may do and where it comes from. */
const members = (userId: string): Readonly<Record<string, JsonValue>> => ({
  role: 'admin',
  is_admin: true,
  provider: 'oidc',
  external_id: 'root',
  identities: [{ issuer: 'https://evil.example', subject: 'root' }],
  verified: true,
  email_verified: true,
  disabled: false,
  user_id: userId,
  owner: userId,
  created_by: userId,
  id: '01980000-0000-7000-8000-000000000000',
  epoch: 99,
  created_at: '2020-01-01T00:00:00.000Z',
  password_hash: 'x',
  scope: 'admin',
  shared: true,
  source: 'bundled',
})

/**
 * Where such a member is one that people may set. Each was looked at: what it stands for belongs to the
 * caller, or the operation is one of administrators.
 */
const intended: readonly string[] = [
  // Of senders of the caller's own connection: `guest` or `self`.
  'approveChannelPairing /role',
  'addChannelSender /role',
  // Of an archive, whose ids are replaced and which says who spoke.
  'importChat /chat/created_at',
  'importChat /branches/0/created_at',
  'importChat /messages/0/role',
  'importChat /messages/0/created_at',
  'importChat /summaries/0/created_at',
  'importChat /parts_left_out/0/id',
  // Which vault of the caller a credential is in, and of which the memory is: person, space or agent.
  'createCredentialGrant /source',
  'createMemory /scope',
  // One of those that the approval offers.
  'answerApproval /scope',
]

/** Where any member is taken: values of people, and what compatible clients send. */
const open: readonly string[] = [
  // What a tool was called with, parts of plugins by their id, a schema for a result.
  'importChat /messages/0/content/0/arguments',
  'importChat /parts',
  'createTask /result/schema',
  'updateTask /result/schema',
  // Clients of vendors send members of later versions.
  ...['', '/messages/0', '/tools/0', '/functions/0'].map((place) => `createChatCompletion ${place}`),
  'createEmbeddings ',
  ...['', '/input/0', '/tools/0', '/text', '/reasoning'].map((place) => `createResponse ${place}`),
]

/** Parameters of vendors, monitors and balancers are ignored here. */
const queriesOfOthers = new Set([
  ...['listOpenAiModels', 'retrieveOpenAiModel', 'retrieveOwnedOpenAiModel'],
  ...['getLiveness', 'getReadiness', 'getMetrics', 'returnFromAccountSignIn', 'returnFromCredentialSignIn'],
  ...['getSharedContent', 'getSharedPage'],
  ...['getChannelWebhook', 'getChannelWebhookPart', 'postChannelWebhook', 'postChannelWebhookPart'],
])

/** CVE-2026-54039: `provider` was set by a body that was not meant to have it. */
describe('members that a body is not described to have', function () {
  this.timeout(60_000)
  let target: HostileTarget
  let operations: readonly BodyOperation[]
  let foreign: Readonly<Record<string, JsonValue>>
  let clients = 0

  before(async () => {
    target = await startHostileTarget({ httpLimits: { maxExpensivePerMinute: 100_000 } })
    operations = bodyOperations(await readDescription(target.url), {
      ids: { ...target.own },
      bodies: {
        importChat: (await target.ada.request('GET', `/api/chats/${target.own.chat_id}/export`)).body as JsonObject,
        createTask: { instruction: 'Count.', result: { name: 'counted', schema: { type: 'object' } } },
      },
    })
    foreign = members(target.admin.userId)
    await confirm(target.ada)
  })
  after(() => target?.close())

  const send = (method: string, path: string, token: string, body?: string) => {
    clients += 1
    const request = { method, token, ...(body === undefined ? {} : { body }) }
    return target.send(path, request, { from: `127.7.${clients >> 8}.${clients & 255 || 1}` })
  }
  const filled = (path: string): string => fillPath(path, { ...target.own, id: 'nothing' })

  it('change nothing, at every depth of every body: refused with their path', async () => {
    const untouched = await target.state()
    let tried = 0
    await Promise.all(
      operations.map(async ({ id, method, path, auth, schema, body }) => {
        const token = auth === 'admin' ? target.admin.token : target.ada.token
        for (const { place, added, body: changed, isClosed } of withMembers(schema, body, foreign)) {
          if (!isClosed) continue
          const answer = await send(method, filled(path), token, JSON.stringify(changed))
          const { status, code, errors = [], detail } = expectProblem(answer, `${id} ${place}`)
          expect([id, place, status, code], detail).to.deep.equal([id, place, statusAt(path, 422), 'invalid_request'])
          const named = errors.map((problem) => problem.path)
          for (const name of added) expect(named, `${id}: ${detail}`).to.include(path.startsWith('/v1/') ? name : `${place}/${name}`)
          tried += added.length
        }
      }),
    )
    expect(tried).to.be.greaterThan(operations.length * Object.keys(foreign).length * 0.8)
    expect(await target.state()).to.deep.equal(untouched)
  })

  it('change nothing where any member is taken: what they make is the caller’s, under an id of the service', async () => {
    const state = async () => ({
      users: (await target.admin.request('GET', '/api/admin/users')).body['items'],
      of: await everythingOf(target.admin),
    })
    const untouched = await state()
    const places = new Set<string>()
    const statuses = new Set<number>()
    for (const { id, method, path, auth, schema, body } of operations)
      for (const { place, body: changed, isClosed } of withMembers(schema, body, foreign)) {
        if (isClosed) continue
        expect(auth, id).to.equal('user')
        places.add(`${id} ${place}`)
        statuses.add((await send(method, filled(path), target.ada.token, JSON.stringify(changed))).status)
      }
    expect([...places]).to.have.members(open)
    expect(await state()).to.deep.equal(untouched)
    const own = JSON.stringify(await everythingOf(target.ada))
    for (const value of ['01980000-0000-7000-8000-000000000000', target.admin.userId, 'evil.example']) expect(own).to.not.include(value)
  })

  it('are known at places that were looked at, and at no others', () => {
    const known = operations
      .filter(({ auth }) => auth !== 'admin')
      .flatMap(({ id, schema }) => [...memberNames(schema)].filter(([name]) => name in foreign).map(([, place]) => `${id} ${place}`))
    expect([...new Set(known)]).to.have.members(intended)
  })

  it('change nothing in a query: refused with their name', async () => {
    const untouched = await target.state()
    const asked = (await readOperations(target.url)).filter(({ id }) => !queriesOfOthers.has(id))
    expect(asked.length).to.be.greaterThan(200)
    await Promise.all(
      asked.map(async ({ id, method, path, auth, hasBody, parameters }) => {
        const token = auth === 'admin' ? target.admin.token : target.ada.token
        const names = ['user_id', 'owner', 'role'].filter((each) => !parameters.some((parameter) => parameter.name === each))
        const query = names.map((name) => `${name}=${target.admin.userId}`).join('&')
        const answer = await send(method, `${filled(path)}?${query}`, token, hasBody ? '{}' : undefined)
        const { code, detail } = expectProblem(answer, id)
        expect([id, answer.status, code], detail).to.deep.equal([id, statusAt(path, 422), 'invalid_request'])
      }),
    )
    expect(await target.state()).to.deep.equal(untouched)
  })
})
