import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Database, Page, Query } from '@agent-service/sdk/services/database'
import { type ListRunsRequest, type RunPage, runRequestInvalidError } from '@agent-service/sdk/services/runs'
import { ownUndeleted } from '../common/own-document.js'
import { chatCollection } from '../store/chats/chat.js'
import { isFinished, type Run, runCollection } from '../store/runs/run.js'
import { viewOf } from './run-view.js'

/** The statuses of runs that have not ended, running ones first. */
const openStatuses = ['running', 'waiting', 'queued'] as const

/** One page of a user's runs. @throws as `Runs.list` says. */
export async function listRuns(database: Database, request: ListRunsRequest): Promise<RunPage> {
  const { limit = 50, open = false } = request
  const filters = [request.chatId, request.parentRunId, request.reportsTo].filter((filter) => filter !== undefined)
  if (filters.length > 1) throw invalid('/', 'must have at most one of chatId, parentRunId and reportsTo')
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 200) throw invalid('/limit', 'must be an integer from 1 to 200')
  const page = open && filters.length === 0 ? await openPage(database, request, limit) : await pageOf(database, request, limit)
  const items = page.items.filter((run) => run.user_id === request.userId && (!open || !isFinished(run)))
  const views = await Promise.all(items.map((run) => viewOf(database, run)))
  return page.nextCursor === undefined ? { items: views } : { items: views, nextCursor: page.nextCursor }
}

async function pageOf(database: Database, request: ListRunsRequest, limit: number): Promise<Page<Run>> {
  const place = await indexFor(database, request)
  return database.collection(runCollection).query({ ...place, limit, ...(request.cursor === undefined ? {} : { cursor: request.cursor }) })
}

async function indexFor(
  database: Database,
  { userId, chatId, parentRunId, reportsTo }: ListRunsRequest,
): Promise<Pick<Query, 'index' | 'equals'>> {
  if (chatId !== undefined) {
    ownUndeleted('chat', await database.collection(chatCollection).get(chatId), userId)
    return { index: 'by_chat', equals: [chatId] }
  }
  if (parentRunId !== undefined) {
    const parent = await database.collection(runCollection).get(parentRunId)
    if (parent?.user_id !== userId) throw notFoundError.create({ what: 'run' })
    return { index: 'by_parent', equals: [parentRunId] }
  }
  if (reportsTo !== undefined) return { index: 'by_report', equals: [userId, reportsTo.kind, reportsTo.id] }
  return { index: 'by_user', equals: [userId] }
}

/** Open runs, one status after the other. A cursor is `<status>:<cursor of its page>`. */
async function openPage(database: Database, { userId, cursor }: ListRunsRequest, limit: number): Promise<Page<Run>> {
  const [, wanted = 'running', rest = ''] = /^([a-z]+):(.*)$/s.exec(cursor ?? 'running:') ?? []
  const begin = openStatuses.indexOf(wanted as (typeof openStatuses)[number])
  if (begin === -1 || (cursor !== undefined && !cursor.includes(':'))) throw invalid('/cursor', 'must be a cursor of this list')
  for (const [index, status] of openStatuses.entries()) {
    if (index < begin) continue
    const within = index === begin && rest !== '' ? { cursor: rest } : {}
    const page = await database.collection(runCollection).query({ index: 'by_user_status', equals: [userId, status], limit, ...within })
    const following = openStatuses[index + 1]
    const nextCursor = page.nextCursor !== undefined ? `${status}:${page.nextCursor}` : following && `${following}:`
    if (page.items.length > 0 || following === undefined)
      return nextCursor === undefined ? { items: page.items } : { items: page.items, nextCursor }
  }
  return { items: [] }
}

const invalid = (path: string, message: string): Error => runRequestInvalidError.create({ problems: [{ path, message }] })
