import type { MaskedPart, SecretMask } from '@agent-service/sdk/services/agent-credentials'
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
  const takeParts = (text: string): readonly MaskedPart[] => {
    const parts: MaskedPart[] = []
    for (let at = 0; at < text.length; at += pieceLength) parts.push(...decisions.take(text.slice(at, at + pieceLength)).map(partOf))
    return parts
  }
  const endParts = (): readonly MaskedPart[] => decisions.end().map(partOf)
  return {
    takeParts,
    endParts,
    take: (text) => shownOf(takeParts(text)),
    end: () => shownOf(endParts()),
  }
}

const partOf = ({ start, end, shown }: Decision): MaskedPart => ({ length: end - start, shown })

const shownOf = (parts: readonly MaskedPart[]): string => parts.map(({ shown }) => shown).join('')
