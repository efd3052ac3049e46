import type { SecretMask } from '@agent-service/sdk/services/agent-credentials'
import { createDecisions, type Decision } from './decisions.js'
import type { Matcher } from './matcher/compile-matcher.js'

/** The longest piece that is looked at in one go, in UTF-16 code units: it takes a few milliseconds. */
export const pieceLength = 16_384

/**
 * Masks a text that comes in pieces.
 * @param current - The secrets as they are known now. They may become more while the text comes.
 */
export function createSecretMask(current: () => Matcher): SecretMask {
  const decisions = createDecisions(current)
  return {
    take(text) {
      let masked = ''
      for (let at = 0; at < text.length; at += pieceLength) masked += shownOf(decisions.take(text.slice(at, at + pieceLength)))
      return masked
    },
    end: () => shownOf(decisions.end()),
  }
}

const shownOf = (decisions: readonly Decision[]): string => decisions.map(({ shown }) => shown).join('')
