import type { Database } from '@agent-service/sdk/services/database'
import { documentId } from '../common/ids.js'
import type { Buried } from '../stages/reconcile.js'
import type { ClassifyResult, ExtractResult, ResolveResult } from '../stages/stage-results.js'
import { subjectKey } from '../stages/subject-names.js'
import type { ConsolidationPass } from '../store/pass-records.js'
import { tombstoneCollection } from '../store/records.js'
import { scopeKey } from '../store/scope-key.js'
import { pageDigest, textDigest, valueDigest } from '../store/tombstones.js'

/** What of a pass a person has forgotten or corrected: by its text, its words in the chat, its value, or its page. */
export async function findBuried(
  database: Database,
  pass: ConsolidationPass,
  { claims, playbooks }: ExtractResult,
  { durable }: ClassifyResult,
  { subjects }: ResolveResult,
): Promise<Buried> {
  const tombstones = database.collection(tombstoneCollection)
  const isBuried = async (digests: readonly string[]): Promise<boolean> => {
    for (const digest of digests) if ((await tombstones.get(documentId(pass.user_id, digest))) !== undefined) return true
    return false
  }
  const [buriedClaims, buriedPlaybooks] = [new Set<number>(), new Set<number>()]
  for (const [index, claim] of claims.entries()) {
    const digests = [textDigest(claim.text), claim.source_digest]
    const classified = durable.find((each) => each.claim === index)
    const subject = subjects.find(({ name }) => subjectKey(name) === subjectKey(claim.subject))
    if (classified && subject) {
      digests.push(valueDigest(subject.page_id, classified.property, classified.value))
      if (subject.created) digests.push(pageDigest(scopeKey(pass.scope), subject.created.title))
    }
    if (await isBuried(digests)) buriedClaims.add(index)
  }
  for (const [index, { text, source_digest: source }] of playbooks.entries())
    if (await isBuried([textDigest(text), source])) buriedPlaybooks.add(index)
  return { claims: buriedClaims, playbooks: buriedPlaybooks }
}
