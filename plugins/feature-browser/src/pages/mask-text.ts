import { setImmediate } from 'node:timers/promises'
import type { AgentCredentials, CredentialAgent } from '@agent-service/sdk/services/agent-credentials'
import type { PageState } from './tab.js'

/** Replaces the secrets of an agent in a text. A text is masked before it is cut: a part of a secret would not be known as one. */
export type MaskText = (text: string) => Promise<string>

/** Masked in one go, in UTF-16 code units: some milliseconds. */
const pieceLength = 32_768

export const createMaskText =
  (credentials: Pick<AgentCredentials, 'mask'> | undefined, { userId, agentId }: CredentialAgent): MaskText =>
  async (text) => {
    if (credentials === undefined || text === '') return text
    const mask = await credentials.mask({ userId, agentId })
    let masked = ''
    for (let at = 0; at < text.length; at += pieceLength) {
      if (at > 0) await setImmediate()
      masked += mask.take(text.slice(at, at + pieceLength))
    }
    return masked + mask.end()
  }

/** Address and title of a page as they are shown. */
export async function shownState({ url, title }: PageState, mask: MaskText): Promise<PageState> {
  return { url: (await mask(url)).slice(0, 2_000), title: (await mask(title)).slice(0, 300) }
}
