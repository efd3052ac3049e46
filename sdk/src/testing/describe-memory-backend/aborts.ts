import { strict as assert } from 'node:assert'
import { ada, assistant, each } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

/** Calls that were aborted before. */
export function describeAborts({ it, options: { supports } }: MemorySuite): void {
  it('does nothing in a call that was aborted before, and rejects with the reason', async ({ backend, remember, texts }) => {
    const id = await remember('Linden')
    const reason = new Error('aborted by the suite')
    const options = { signal: AbortSignal.abort(reason) }
    const change = {
      userId: ada,
      chatId: 'chat-1',
      agentId: assistant,
      spaceId: null,
      reason: 'deleted',
      at: new Date(0).toISOString(),
    } as const
    const read = async (records: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of records) return
    }
    const calls: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
      promptText: () => backend.promptText({ userId: ada, agentId: assistant, maxTokens: 100 }, options),
      remember: () => backend.remember({ userId: ada, scope: { kind: 'user' }, text: 'Aborted', key: 'aborted' }, options),
      search: () => backend.search({ userId: ada, text: 'linden', limit: 3 }, options),
      forget: () => backend.forget(id, { userId: ada, ...options }),
      chatChanged: () => backend.chatChanged(change, options),
      list: () => backend.list({ userId: ada }, { limit: 3, ...options }),
      get: () => backend.get(id, { userId: ada }, options),
      change: () => backend.change(id, { text: 'Aborted' }, { userId: ada, ...options }),
      export: () => read(backend.export(ada, options)),
      import: () => backend.import(ada, each([]), options),
      erase: () => backend.erase(ada, options),
      ...(supports.sweep && { sweep: () => backend.sweep?.(options) }),
      ...(supports.passes && {
        passes: () => backend.passes?.(ada, { limit: 3, ...options }),
        retryPass: () => backend.retryPass?.(id, { userId: ada, ...options }),
      }),
      ...(supports.revisions && {
        revisions: () => backend.revisions?.(ada, options),
        restore: () => backend.restore?.(id, { userId: ada, ...options }),
      }),
    }
    for (const [name, call] of Object.entries(calls)) {
      const failure = await Promise.resolve(call()).then(
        () => 'resolved',
        (error: unknown) => error,
      )
      assert.equal(failure, reason, `${name} did not reject with the reason`)
    }
    assert.deepEqual(await texts(), ['Linden'])
  })
}
