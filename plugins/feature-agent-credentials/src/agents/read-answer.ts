import type { GrantTerm } from '../grants/grant-service.js'

/** What a person can answer to a request; a free answer may also name the credential. */
export const answerOptions = ['Once', 'One hour', 'One day', 'For good', 'No'] as const

/** A person's answer: no, or how long and which credential, if it names one. */
export type RequestAnswer = { readonly kind: 'no' } | { readonly kind: 'yes'; readonly term: GrantTerm; readonly credential?: string }

const terms: readonly (readonly [pattern: RegExp, term: GrantTerm])[] = [
  [/^(?:just )?once\b/i, { once: true }],
  [/^(?:for )?(?:one|an|1) hour\b/i, { expiresInSeconds: 3_600 }],
  [/^(?:for )?(?:one|a|1) day\b/i, { expiresInSeconds: 86_400 }],
  [/^for good\b/i, {}],
]

/**
 * Reads an answer: one of the options, alone or followed by the name of a credential (“Once:
 * github-work”). Everything else grants nothing; the name of a credential alone grants it once.
 */
export function readAnswer(text: string | undefined, isCredential: (name: string) => boolean): RequestAnswer {
  const answer = (text ?? '').trim()
  // Also where an item of a vault is called “No”.
  if (/^no$/i.test(answer)) return { kind: 'no' }
  for (const [pattern, term] of terms) {
    const found = pattern.exec(answer)
    if (!found) continue
    const rest = answer
      .slice(found[0].length)
      .replace(/^[\s:,–—-]+/, '')
      .trim()
    return { kind: 'yes', term, ...(rest !== '' && { credential: rest }) }
  }
  return answer !== '' && isCredential(answer) ? { kind: 'yes', term: { once: true }, credential: answer } : { kind: 'no' }
}
