import type { Schemas } from '../api/index.js'

/** A link to a file that was not opened yet. */
export const share = (input: Partial<Schemas['Share']> = {}): Schemas['Share'] => ({
  id: 'share_1',
  kind: 'file',
  title: 'report.md',
  path: 'files/report.md',
  chat_id: null,
  created_at: '2026-12-01T08:00:00Z',
  created_by: 'person',
  expires_at: '2026-12-08T08:00:00Z',
  expired: false,
  last_used_at: null,
  uses: 0,
  ...input,
})

/** The same with its links, which are known once. */
export const newShare = (input: Partial<Schemas['Share']> = {}): Schemas['NewShare'] => ({
  ...share(input),
  page_url: 'https://service.example/p/secret',
  content_url: 'https://service.example/s/secret',
})

/** A chat of the person. */
export const chat = (id: string, title: string | null): Schemas['Chat'] => ({
  id,
  title,
  agent_id: 'agent_1',
  model: null,
  branch_id: 'branch_1',
  branch_count: 1,
  message_count: 2,
  active_run_id: null,
  beside_run_id: null,
  archived: false,
  hidden: false,
  pinned: false,
  temporary: false,
  compaction: false,
  comparison: null,
  guests: null,
  space_id: null,
  expires_at: null,
  callers: [],
  tags: [],
  created_at: '2026-12-01T08:00:00Z',
  updated_at: '2026-12-01T08:00:00Z',
})
