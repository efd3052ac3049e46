import type { Run, RunReport, Runs } from '@agent-service/sdk/services/runs'

/** The run that is at work in a chat, if there is one. */
export async function runOfChat(
  { list }: Pick<Runs, 'list'>,
  { userId, chatId }: { readonly userId: string; readonly chatId: string },
): Promise<Run | undefined> {
  let cursor: string | undefined
  do {
    const page = await list({ userId, open: true, limit: 200, ...(cursor !== undefined && { cursor }) })
    const found = page.items.find((run) => run.chatId === chatId)
    if (found) return found
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return undefined
}

/** The run that was started last of those that report to something. */
export async function newestRun(
  { list }: Pick<Runs, 'list'>,
  of: { readonly userId: string; readonly reportsTo: RunReport },
): Promise<Run | undefined> {
  let cursor: string | undefined
  let newest: Run | undefined
  do {
    const page = await list({ ...of, limit: 200, ...(cursor !== undefined && { cursor }) })
    newest = page.items.at(-1) ?? newest
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return newest
}
