import type { HttpRoute, RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { expect } from 'chai'
import type { LinkParts } from '../opening/answer-link.js'
import { newSecret } from '../store/secret.js'
import type { Share, Snapshot } from '../store/share.js'
import { createPageRoute } from './page-route.js'

const share = { id: 'share', kind: 'chat', title: '', chat_id: null, expires_at: '2100-01-01T00:00:00Z' } as Share
const message = { role: 'person', text: '**a**', at: null, partial: false } as const
const url = (path: string): string => `https://service.example${path}`

describe('the page of a shared chat', () => {
  let held = 0
  let snapshot: Snapshot | undefined

  const downloads = {
    acquire: async () => {
      held += 1
      return {
        release() {
          held -= 1
        },
      }
    },
  } as unknown as Limit
  const parts = {
    shares: { find: async () => share },
    accounts: { get: async () => ({ id: 'ada' }) },
    clock: { now: () => 0 },
    misses: { check: () => undefined, count: () => undefined },
    uses: { add: () => undefined },
    metrics: { opened: () => undefined },
  } as unknown as LinkParts
  const route: HttpRoute = createPageRoute({
    parts,
    downloads,
    files: { open: async () => undefined },
    snapshots: { get: async () => snapshot },
    urls: { api: url, external: url, page: url } as Parameters<typeof createPageRoute>[0]['urls'],
  })
  const request = { params: { id: newSecret() }, headers: {}, address: '192.0.2.1', signal: new AbortController().signal }
  const open = async (): Promise<AsyncIterable<Uint8Array>> => {
    const answer = await route.handle(request as unknown as RouteRequest)
    if (answer.kind !== 'stream') throw new Error(`The page was answered as ${answer.kind}.`)
    return answer.stream
  }

  beforeEach(() => {
    held = 0
    snapshot = { id: share.id, user_id: 'ada', agent_name: null, messages: [message, message] }
  })

  it('counts as a download of its address until it is written', async () => {
    const stream = await open()
    expect(held).to.equal(1)
    for await (const _ of stream) expect(held).to.equal(1)
    expect(held).to.equal(0)
  })

  it('counts no more when its reader has left, or when there is none', async () => {
    for await (const _ of await open()) break
    expect(held).to.equal(0)
    snapshot = undefined
    expect((await route.handle(request as unknown as RouteRequest)).status).to.equal(404)
    expect(held).to.equal(0)
  })
})
