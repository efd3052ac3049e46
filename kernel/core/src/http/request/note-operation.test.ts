import { defineRoute, type HttpRoute, noContent, notFoundError, type RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import type { AuditEntry } from '../../audit/index.js'
import { quietLog, rejection } from '../../database/testing/test-database.js'
import { currentOperation } from '../../work/work-context.js'
import { runNoted } from './note-operation.js'

const request: RouteRequest = {
  ...{ method: 'POST', path: '/api/admin/things/lamp', params: { thing_id: 'lamp' }, query: { key: 'hidden' }, headers: {} },
  ...{ body: { secret: 'hidden' }, requestId: 'request-1', address: '192.0.2.7', loopback: false },
  principal: { userId: 'ada', username: 'ada', handle: 'ada', role: 'admin', scopes: ['admin'], sessionId: 'session-1' },
  signal: new AbortController().signal,
}

const routeOf = (more: Partial<Pick<HttpRoute, 'method' | 'path' | 'auth' | 'changes' | 'scope'>> = {}): HttpRoute => ({
  ...defineRoute({
    ...{ method: 'POST', path: '/api/admin/things/{thing_id}', operationId: 'changeThing', summary: 'A thing', auth: 'admin' },
    ...{ answers: { 204: { description: 'Done.' } }, handle: async () => noContent() },
  }),
  ...more,
})

const run = async (route: HttpRoute, handle: () => Promise<ReturnType<typeof noContent>> = async () => noContent()) => {
  const notes: AuditEntry[] = []
  const audit = { note: async (entry: AuditEntry) => void notes.push(entry) }
  const failure = await runNoted(route, request, { audit, logger: quietLog }, handle).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { notes, failure }
}

describe('an administrator’s operation', () => {
  it('is noted without query and body if its handler notes nothing', async () => {
    const { notes } = await run(routeOf())
    expect(notes).to.deep.equal([
      {
        ...{ kind: 'admin.operation', actor: { userId: 'ada', address: '192.0.2.7' }, subjectId: null },
        details: {
          ...{ operation: 'changeThing', method: 'POST', path: '/api/admin/things/{thing_id}', params: { thing_id: 'lamp' } },
          status: 204,
        },
      },
    ])
  })

  for (const [what, more, count] of [
    ['is one below /api/admin, whoever may call it', { auth: 'user' }, 1],
    ['is one that needs the scope of administrators', { path: '/api/things/{thing_id}', auth: 'user', scope: 'admin' }, 1],
    ['that reads is not noted', { method: 'GET' }, 0],
    ['that reads and says that it changes something is noted', { method: 'GET', changes: true }, 1],
    ['that says that it changes nothing is not noted', { changes: false }, 0],
    ['is none that every user may call', { path: '/api/things/{thing_id}', auth: 'user' }, 0],
  ] as const)
    it(what, async () => expect((await run(routeOf(more))).notes).to.have.length(count))

  it('is not noted again if its handler has noted it', async () => {
    const { notes } = await run(routeOf(), async () => {
      const operation = currentOperation()
      if (operation) operation.noted = true
      return noContent()
    })
    expect(notes).to.deep.equal([])
  })

  it('is noted if it fails, but not if it is refused', async () => {
    const refused = await run(routeOf(), () => Promise.reject(notFoundError.create({ what: 'thing' })))
    expect([refused.notes, refused.failure]).to.satisfy(
      ([notes, failure]: [unknown[], unknown]) => notes.length === 0 && notFoundError.isInstance(failure),
    )
    const broken = new Error('half-way')
    const failed = await run(routeOf(), () => Promise.reject(broken))
    expect(failed.failure).to.equal(broken)
    expect(failed.notes.map(({ details }) => details?.['status'])).to.deep.equal([500])
  })

  it('is noted before it is answered', async () => {
    const full = new Error('storage full')
    const audit = { note: (): Promise<void> => Promise.reject(full) }
    const work = runNoted(routeOf(), request, { audit, logger: quietLog }, async () => noContent())
    expect(await rejection(work)).to.equal(full)
  })

  it('is the context of everything that it starts, until it has ended', async () => {
    let later: Promise<string | undefined> = Promise.resolve(undefined)
    let go: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      go = resolve
    })
    await runNoted(routeOf(), request, { audit: { note: async () => undefined }, logger: quietLog }, async () => {
      expect(currentOperation()).to.include({ operationId: 'changeThing', requestId: 'request-1', userId: 'ada', sessionId: 'session-1' })
      later = ended.then(() => currentOperation()?.requestId)
      return noContent()
    })
    go()
    expect(await later).to.equal(undefined)
    expect(currentOperation()).to.equal(undefined)
  })
})
