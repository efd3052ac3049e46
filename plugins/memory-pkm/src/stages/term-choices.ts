import { documentId } from '../common/ids.js'
import type { StoredTerm } from '../store/records.js'
import type { AdjudicateResult, ClassifyResult } from './stage-results.js'

/** What a proposed term has become: itself, another one, or what no term fits. */
export function chosenTerm(kind: 'class' | 'property', name: string, adjudicated: AdjudicateResult | undefined): string {
  const found = adjudicated?.verdicts.find((each) => each.kind === kind && each.name === name)
  if (!found || found.verdict === 'accept') return name
  return found.verdict === 'alias' && found.of !== null ? found.of : kind === 'class' ? 'thing' : 'note'
}

/** The decisions of a pass as they are kept for the next ones. */
export const storedTerms = (userId: string, { proposals }: ClassifyResult, { verdicts }: AdjudicateResult): readonly StoredTerm[] =>
  verdicts.flatMap(({ kind, name, verdict, of }) => {
    const proposal = proposals.find((each) => each.kind === kind && each.name === name)
    if (!proposal) return []
    const status = verdict === 'accept' ? 'accepted' : verdict === 'alias' ? 'alias' : 'rejected'
    const id = documentId(userId, `${kind}:${name}`)
    return [{ id, user_id: userId, name, kind, label: proposal.label, parent: proposal.parent, status, alias_of: of }]
  })
