import { type FakeApi, fakeApi } from '@agent-service/sdk/web/testing'
import type { Schemas } from '../api/index.js'
import type { paths } from '../api/schema.js'
import { agent, memoryStatus, model, pageOf, sandbox } from './things.js'

/** What the service has of one chat; a test may change it. */
export interface KeptChat {
  chat: Schemas['Chat']
  /** All messages; a page has those of its branch. */
  messages: readonly Schemas['Message'][]
  runs: readonly Schemas['Run'][]
}

/** The service with all that the screen of a chat reads. Cancelled runs end by an event alone. */
export function chatService(kept: KeptChat): FakeApi<paths> {
  return fakeApi<paths>({
    'get /api/agents': () => pageOf(agent()),
    'get /api/models': () => pageOf(model('primary'), model('quick')),
    'get /api/tools': () => pageOf(),
    'get /api/approvals': () => pageOf(),
    'get /api/usage/calls': () => pageOf(),
    'get /api/chats/{chat_id}': () => kept.chat,
    'get /api/chats/{chat_id}/messages': ({ query }) => ({
      ...pageOf(
        ...kept.messages.filter(({ branch_id, role }) => role === 'user' || branch_id === (query.branch_id ?? kept.chat.branch_id)),
      ),
      runs: [...kept.runs],
    }),
    'get /api/chats/{chat_id}/context': () => ({ compact_above: 80_000, reserve: 10_000, tokens: null, window: 100_000 }),
    'get /api/runs/{run_id}': ({ path }) => kept.runs.find(({ id }) => id === path.run_id) as Schemas['Run'],
    'get /api/runs/{run_id}/calls': () => ({ calls: [] }),
    'post /api/runs/{run_id}/cancel': ({ path }) => kept.runs.find(({ id }) => id === path.run_id) as Schemas['Run'],
    'get /api/memory/chats/{chat_id}': ({ path }) => ({ chat_id: path.chat_id, remember: true }),
    'get /api/memory/status': () => memoryStatus(),
    'get /api/sandbox': () => sandbox(),
  })
}
