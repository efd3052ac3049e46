import { documentId } from '../common/ids.js'
import type { Ontology } from '../ontology/ontology.js'
import { demandSameBase } from '../stages/base-digest.js'
import { planChanges } from '../stages/plan-changes.js'
import { plannedResults } from '../stages/planned-results.js'
import type { StageResults } from '../stages/stage-results.js'
import { checkpointStaleError } from '../stages/stale.js'
import { storedTerms } from '../stages/term-choices.js'
import { type Checkpoint, type ConsolidationPass, checkpointCollection, cursorCollection, passCollection } from '../store/pass-records.js'
import { termCollection } from '../store/records.js'
import { findBuried } from './buried.js'
import { advanceCursor, dropPass } from './failures.js'
import type { PassDependencies } from './pass-dependencies.js'
import { openPass } from './pass-store.js'

/** What is committed. */
export interface CommitInput {
  readonly pass: ConsolidationPass
  readonly results: StageResults
  readonly ontology: Ontology
  readonly checkpoints: readonly Checkpoint[]
  readonly signal: AbortSignal
}

/**
 * Stage 7, without a model: memories, terms, the cursor of the chat and the end of the pass in one
 * transaction. What a person has forgotten, changed or excluded since is looked at once more in it.
 *
 * @throws `memory_checkpoint_stale` if the memories are no longer what the stages built upon.
 */
export async function commitPass(dependencies: PassDependencies, input: CommitInput): Promise<ConsolidationPass | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const outcome = await tryCommit(dependencies, input)
    if (outcome === 'dropped') return dropPass(dependencies, input.pass, { outcome: 'dropped' })
    if (outcome !== 'changed') return outcome === 'over' ? undefined : outcome
  }
  throw checkpointStaleError.create({ reason: 'the memories were being changed by others' })
}

/** How often the commit is tried while others change the memories. */
const maxAttempts = 3

async function tryCommit(
  { memories, clock, database }: PassDependencies,
  { pass, ontology, checkpoints, signal, ...input }: CommitInput,
): Promise<ConsolidationPass | 'dropped' | 'over' | 'changed'> {
  const results = plannedResults(input.results)
  const { reconcile } = results
  const revision = await memories.revisionOf(pass.user_id)
  const buried = await findBuried(database, pass, results.extract, results.classify, results.resolve)
  const isDropped = (index: number): boolean => reconcile.decisions.some(({ claim, action }) => claim === index && action === 'drop')
  if (![...buried.claims].every(isDropped) || ![...buried.playbooks].every((index) => reconcile.buried_playbooks.includes(index)))
    throw checkpointStaleError.create({ reason: 'a person has forgotten something of it' })
  return memories.change(
    pass.user_id,
    async ({ transaction, view, put }) => {
      if (view.revision !== revision) return 'changed'
      const current = await openPass(transaction, pass)
      const cursor = await transaction.get(cursorCollection, documentId(pass.user_id, pass.chat_id))
      if (!current) return 'over'
      if (!cursor || cursor.excluded || cursor.deleted || cursor.learn_after !== pass.learn_after) return 'dropped'
      demandSameBase(view, results.resolve, results.reconcile)
      for (const memory of planChanges(view, pass, results, ontology).puts.values()) put(memory)
      if (results.adjudicate)
        for (const term of storedTerms(pass.user_id, results.classify, results.adjudicate)) transaction.put(termCollection, term)
      for (const { id } of checkpoints) transaction.delete(checkpointCollection, id)
      await advanceCursor(transaction, pass)
      const finished = new Date(clock.now()).toISOString()
      const ended: ConsolidationPass = {
        ...current,
        ...{ state: 'done', open: null, outcome: 'committed', failures: 0, error: null, next_attempt_at: null, finished_at: finished },
      }
      transaction.put(passCollection, ended)
      return ended
    },
    { signal },
  )
}
