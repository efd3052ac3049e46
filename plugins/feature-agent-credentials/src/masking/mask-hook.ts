import { type AgentRunHook, defineRunHook } from '@agent-service/sdk/contracts/agent-run-hook'
import type { CredentialAgent, SecretMask } from '@agent-service/sdk/services/agent-credentials'
import type { AgentMasks } from './agent-masks.js'

/** How many calls and answers may be shown in pieces at once; of the longest unused ones the rest of a piece is forgotten. */
const maxStreams = 1_000

/** Masks the texts of an agent's runs, before other hooks see them. */
export function createMaskHook(masks: Pick<AgentMasks, 'mask' | 'maskTexts' | 'isEmpty'>): AgentRunHook {
  /** What comes in pieces, by run, then by call or answer; the longest unused first. */
  const streams = new Map<string, SecretMask>()
  const streamOf = async (key: string, agent: CredentialAgent): Promise<SecretMask> => {
    const mask = streams.get(key) ?? (await masks.mask(agent))
    streams.delete(key)
    streams.set(key, mask)
    const [oldest] = streams.keys()
    if (streams.size > maxStreams && oldest !== undefined) streams.delete(oldest)
    return mask
  }
  const forget = (prefix: string): void => {
    for (const key of streams.keys()) if (key.startsWith(prefix)) streams.delete(key)
  }

  return defineRunHook({
    id: 'credentials',
    title: 'Credentials',
    order: 0,
    timeoutMs: 30_000,
    outputPieces: 'any',
    async mask(texts) {
      const key = `${texts.runId}/call/${texts.callId}`
      if (texts.kind === 'output') {
        const mask = await streamOf(key, texts)
        return texts.texts.map((text) => mask.take(text))
      }
      if (texts.kind === 'result') streams.delete(key)
      return masks.maskTexts(texts, texts.texts)
    },
    async maskAnswer(answer) {
      const { runId, turn, attempt, part, kind, texts } = answer
      const prefix = `${runId}/${turn}/`
      if (kind === 'whole') {
        forget(prefix)
        return masks.maskTexts(answer, texts)
      }
      const key = `${prefix}${attempt}/${part}`
      if (!streams.has(key) && (await masks.isEmpty(answer))) return undefined
      const mask = await streamOf(key, answer)
      return texts.map((text) => mask.take(text))
    },
    // Calls and answers that were broken off have no end of their own, and a mask holds all secrets of its agent.
    runEnded: async ({ runId }) => forget(`${runId}/`),
  })
}
