import type { AgentCredentials } from '@agent-service/sdk/services/agent-credentials'
import { createMaskText, shownState } from '../pages/mask-text.js'
import type { OpenBrowserSession } from './session-registry.js'

/** A session as its person sees it. */
export interface SessionView {
  readonly id: string
  readonly agent_id: string
  readonly agent_handle: string
  readonly chat_id: string
  readonly title: string
  readonly url: string
  readonly tabs: number
  readonly opened_at: string
  readonly last_used_at: string
  readonly screenshot_url: string
}

/** Title and address of a page may show what was filled in. */
export async function viewOf(open: OpenBrowserSession, credentials: Pick<AgentCredentials, 'mask'> | undefined): Promise<SessionView> {
  const { id, owner, session } = open
  const tabs = session.tabs()
  const seen = tabs.length === 0 ? { url: '', title: '' } : session.active().last()
  const { url, title } = await shownState(seen, createMaskText(credentials, owner))
  return {
    ...{ id, agent_id: owner.agentId, agent_handle: owner.agentHandle, chat_id: owner.chatId },
    ...{ title, url, tabs: tabs.length },
    opened_at: new Date(open.openedAt).toISOString(),
    last_used_at: new Date(open.lastUsedAt()).toISOString(),
    screenshot_url: `/api/browser/sessions/${id}/screenshot`,
  }
}
