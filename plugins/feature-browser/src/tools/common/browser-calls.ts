import { ServiceError } from '@agent-service/sdk'
import type { ToolCaller, ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { AgentCredentials } from '@agent-service/sdk/services/agent-credentials'
import type { PolicyEntity, PolicyService } from '@agent-service/sdk/services/policy'
import { limits } from '../../common/limits.js'
import type { BrowserMetrics } from '../../common/metrics.js'
import { createMaskText, type MaskText, shownState } from '../../pages/mask-text.js'
import { takeSnapshot } from '../../pages/snapshot.js'
import type { Tab } from '../../pages/tab.js'
import type { BrowserSession } from '../../sessions/browser-session.js'
import type { SessionRegistry } from '../../sessions/session-registry.js'
import { untrusted } from './untrusted.js'

/** What one call works with. */
export interface BrowserCall {
  readonly session: BrowserSession
  readonly context: ToolContext
  readonly signal: AbortSignal
  readonly mask: MaskText
}

/** What a call has done, and what of the page the model reads. */
export interface BrowserOutcome {
  /** What happened, in the service’s own words. */
  readonly said: string
  /** Of the page, or from it. Default: a snapshot of the active one, if there is one. */
  readonly page?: string
  /** Where the snapshot begins, in characters. Default 0. */
  readonly offset?: number
  readonly image?: { readonly media_type: string; readonly data: string }
  /** What was stored in the workspace, for people. */
  readonly files?: ToolResult['files']
  /** Nothing was done, for a reason that only the page’s own words say in full. */
  readonly isError?: boolean
}

/** Runs the calls of browser tools. */
export interface BrowserCalls {
  /** An error that the model can do something about becomes a result that says what. */
  run(
    context: ToolContext,
    options: { readonly open: boolean; readonly tool: string },
    work: (call: BrowserCall) => Promise<BrowserOutcome>,
  ): Promise<ToolResult>
}

export function createBrowserCalls(dependencies: {
  readonly registry: SessionRegistry
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly credentials: Pick<AgentCredentials, 'mask'> | undefined
  readonly metrics: BrowserMetrics
}): BrowserCalls {
  const { registry, policies, credentials, metrics } = dependencies
  return {
    async run(context, { open, tool }, work) {
      const { userId, userHandle, agentId, agentHandle, chatId, signal } = context
      const owner = { userId, userHandle, agentId, agentHandle, chatId }
      const mask = createMaskText(credentials, context)
      try {
        signal.throwIfAborted()
        const allows = connectionPolicy(policies, context)
        const result = await registry.use(owner, { open, signal, allows }, async (session) => {
          const outcome = await work({ session, context, signal, mask })
          return await resultOf(session, outcome, { mask, signal })
        })
        metrics.called(tool, 'done')
        return result
      } catch (error) {
        signal.throwIfAborted()
        metrics.called(tool, 'failed')
        if (!ServiceError.isInstance(error) || error.status === 500) throw error
        return { content: [{ type: 'text', text: await mask(error.message) }], isError: true }
      }
    },
  }
}

/**
 * The policies about connections hold for pages as for programs, also those about agents for which
 * the call is made; where none says anything, public addresses are open.
 */
const connectionPolicy =
  (policies: Pick<PolicyService, 'isAuthorized'>, { userId, agentId, agentHandle, callers = [] }: ToolContext) =>
  async ({ host, port, address }: { readonly host: string; readonly port: number; readonly address?: string }, signal: AbortSignal) => {
    const asked = address ?? host
    const resource: PolicyEntity = { type: 'Network', id: `${asked}:${port}`, attributes: { host: asked, port } }
    const context = { default_access: true }
    for (const agent of [{ id: agentId, handle: agentHandle }, ...callers]) {
      const question = { principal: agentEntity(userId, agent), action: 'connect', resource, context }
      if (!(await policies.isAuthorized(question, { signal })).allowed) return false
    }
    return true
  }

const agentEntity = (userId: string, { id, handle = '' }: ToolCaller): PolicyEntity => ({
  type: 'Agent',
  id,
  attributes: { owner: { __entity: { type: 'User', id: userId } }, handle },
  parents: [{ type: 'User', id: userId }],
})

async function resultOf(
  session: BrowserSession,
  { said, page, image, files, isError, offset = 0 }: BrowserOutcome,
  { mask, signal }: { readonly mask: MaskText; readonly signal: AbortSignal },
): Promise<ToolResult> {
  const [tab] = session.tabs().length === 0 ? [] : [session.active()]
  const seen = page === undefined ? (tab === undefined ? undefined : await look(tab, { session, offset, mask, signal })) : await mask(page)
  const reports = (await mask(session.reports.take().join('\n'))).split('\n').filter((each) => each !== '')
  const parts = [
    ...(seen === undefined ? [] : [seen]),
    ...(reports.length === 0 ? [] : [`Also happened:\n${reports.map((each) => `- ${each.slice(0, 500)}`).join('\n')}`]),
  ]
  const text = [said, ...(parts.length === 0 ? [] : [untrusted(parts.join('\n\n'))])].join('\n\n')
  const content = [{ type: 'text' as const, text }, ...(image === undefined ? [] : [{ type: 'image' as const, ...image }])]
  return { content, ...(isError === true && { isError }), ...(files && { files }) }
}

/** Address, title and snapshot of a page, masked. */
async function look(
  tab: Tab,
  options: { readonly session: BrowserSession; readonly offset: number; readonly mask: MaskText; readonly signal: AbortSignal },
): Promise<string> {
  const { session, offset, mask, signal } = options
  const { url, title } = await shownState(await tab.state(signal), mask)
  const snapshot = await mask(await takeSnapshot(await tab.frames(signal), tab.refs, signal))
  const part = snapshot.slice(offset, offset + limits.maxSnapshot)
  const next = offset + part.length
  const all = session.tabs()
  const head = [`Address: ${url}`, `Title: ${title}`, ...(all.length > 1 ? [`Tab ${all.indexOf(tab) + 1} of ${all.length}`] : [])]
  const more =
    next < snapshot.length ? [`(${snapshot.length - next} more characters; read on with browser_snapshot and offset ${next}.)`] : []
  return [...head, '', part === '' ? '(empty page)' : part, ...more].join('\n')
}
