import { setImmediate } from 'node:timers/promises'
import { createDecisions, type Decision } from './decisions.js'
import type { Matcher } from './matcher/compile-matcher.js'
import { pieceLength } from './secret-mask.js'

/** Between texts that belong together. It counts as no character of a secret. */
const separator = '\n'

/**
 * Masks texts that belong together, such as those of a list in JSON: also a secret that is split
 * over them, whose placeholder stands in the first. Gives way to other work.
 */
export async function maskTexts(texts: readonly string[], matcher: Matcher): Promise<readonly string[]> {
  if (matcher.views.length === 0) return texts
  const whole = texts.join(separator)
  const secrets: Decision[] = []
  const decisions = createDecisions(() => matcher)
  const keep = (made: readonly Decision[]): void => {
    for (const decision of made) if (decision.isSecret) secrets.push(decision)
  }
  for (let at = 0; at < whole.length; at += pieceLength) {
    if (at > 0) await setImmediate()
    keep(decisions.take(whole.slice(at, at + pieceLength)))
  }
  keep(decisions.end())
  return secrets.length === 0 ? texts : withoutSecrets(texts, secrets)
}

function withoutSecrets(texts: readonly string[], secrets: readonly Decision[]): readonly string[] {
  let next = 0
  let offset = 0
  return texts.map((text) => {
    const end = offset + text.length
    let masked = ''
    let copied = offset
    for (let secret = secrets[next]; secret !== undefined && secret.start < end; secret = secrets[next]) {
      const from = Math.max(secret.start, offset)
      if (secret.end > offset) {
        masked += text.slice(copied - offset, from - offset)
        // Of a secret that began in an earlier text, that one has the placeholder.
        if (secret.start >= offset) masked += secret.shown
        copied = Math.min(secret.end, end)
      }
      if (secret.end > end) break
      next += 1
    }
    masked += text.slice(copied - offset)
    offset = end + separator.length
    return masked
  })
}
