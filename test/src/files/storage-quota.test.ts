import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { contributionsToken } from '@agent-service/kernel/testing/tokens'
import { type ToolContext, tools } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import { type Api, signUp } from '../support/api.js'

const max = 100_000

describe('storage.max_bytes_per_user', () => {
  let kernel: TestKernel
  let ada: Api
  let bob: Api

  before(async () => {
    kernel = await createTestKernel({ environment: { SERVICE_STORAGE_MAX_BYTES_PER_USER: String(max) } })
    ada = await signUp(kernel.url, 'ada')
    bob = await signUp(kernel.url, 'bob')
  })
  after(() => kernel.stop())

  const put = async (person: Api, place: string, body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>) => {
    const answer = await fetch(`${kernel.url}/api/files/content?path=${place}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
      body,
      duplex: 'half',
    } as RequestInit)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const usage = async (person: Api) => (await person.request('GET', '/api/files/usage')).body

  it('applies to parallel uploads of one user, who sees the usage, and not to another user', async () => {
    const uploads = await Promise.all(Array.from({ length: 20 }, (_, index) => put(ada, `files/f${index}`, new Uint8Array(30_000))))
    expect(uploads.filter(({ status }) => status === 201)).to.have.length(3)
    const refused = uploads.filter(({ status }) => status !== 201)
    for (const { status, body } of refused) expect([status, body['code']]).to.deep.equal([413, 'quota_exceeded'])
    expect(await usage(ada)).to.deep.equal({ used_bytes: 90_000, max_bytes: max })
    expect(await readdir(path.join(kernel.folder, 'data', 'users', 'ada', '.incoming'))).to.deep.equal([])
    expect((await put(bob, 'files/f', new Uint8Array(30_000))).status).to.equal(201)
    expect(await usage(bob)).to.deep.equal({ used_bytes: 30_000, max_bytes: max })
  })

  it('applies to an upload without a length', async () => {
    const pieces = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(16_384))
      },
    })
    expect((await put(bob, 'files/endless', pieces)).body).to.include({ code: 'quota_exceeded' })
    expect(await usage(bob)).to.include({ used_bytes: 30_000 })
  })

  it("applies to writes of agents' tools, which read the reason", async () => {
    const tool = kernel.container
      .resolve(contributionsToken)
      .list(tools)
      .find(({ key }) => key === 'write_file')
    const context: ToolContext = {
      ...{ callId: 'call-1', runId: 'run-1', chatId: 'chat-1', agentId: 'agent-1', agentHandle: 'agent', depth: 0, timezone: 'UTC' },
      ...{ userId: bob.userId, userHandle: 'bob', workspace: 'assistant', signal: new AbortController().signal },
      progress: async () => undefined,
      output: async () => undefined,
    }
    const result = await tool?.value.execute({ path: 'big.txt', content: 'x'.repeat(80_000) }, context).catch((error: Error) => error)
    expect(JSON.stringify(result instanceof Error ? result.message : result)).to.contain('At most 100000 bytes of files may be kept')
    expect(await usage(bob)).to.include({ used_bytes: 30_000 })
  })
})
