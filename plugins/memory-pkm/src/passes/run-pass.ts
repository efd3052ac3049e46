import type { JsonValue } from '@agent-service/sdk'
import { documentsOf } from '@agent-service/sdk/services/database'
import { type ChatWindow, readWindow } from '../chats/read-window.js'
import { documentId } from '../common/ids.js'
import { adjudicate } from '../stages/adjudicate.js'
import { author } from '../stages/author.js'
import { classify } from '../stages/classify.js'
import { extract } from '../stages/extract.js'
import { plannedResults, stageMissing } from '../stages/planned-results.js'
import { reconcile } from '../stages/reconcile.js'
import { resolve } from '../stages/resolve.js'
import type { StageContext } from '../stages/stage-context.js'
import { type ExtractResult, type StageResults, storable } from '../stages/stage-results.js'
import { checkpointStaleError } from '../stages/stale.js'
import { userOntology } from '../stages/user-ontology.js'
import { type ConsolidationPass, cursorCollection, type Stage, stages } from '../store/pass-records.js'
import { termCollection } from '../store/records.js'
import { findBuried } from './buried.js'
import { createCallShare } from './call-share.js'
import { commitPass } from './commit-pass.js'
import { afterFailure, dropPass, resetPass } from './failures.js'
import type { PassDependencies } from './pass-dependencies.js'
import { inputOf, nextStage, stageKey } from './stage-keys.js'
import { createStageParts } from './stage-parts.js'

/**
 * Runs a pass until it ends or waits for its next attempt. The result of each stage is stored with
 * the stage that follows, in one transaction, before that begins; so a killed process goes on there.
 *
 * @throws the signal's reason: then nothing has failed.
 */
export async function runPass(
  dependencies: PassDependencies,
  begun: ConsolidationPass,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  let next: ConsolidationPass | undefined = begun
  while (next?.open === true && next.state === 'running') {
    signal.throwIfAborted()
    const pass: ConsolidationPass = next
    try {
      next = await runStage(dependencies, pass, signal)
      dependencies.observe(pass.stage, 'done')
    } catch (error) {
      signal.throwIfAborted()
      const isReset = checkpointStaleError.isInstance(error)
      dependencies.observe(pass.stage, isReset ? 'reset' : 'failed')
      next = isReset ? await resetPass(dependencies, pass, error) : await afterFailure(dependencies, pass, error)
    }
  }
}

/** Runs one stage. Returns the pass as it is then; undefined if it is over. */
async function runStage(
  dependencies: PassDependencies,
  pass: ConsolidationPass,
  signal: AbortSignal,
): Promise<ConsolidationPass | undefined> {
  const { store, memories, settings } = dependencies
  const userId = pass.user_id
  const cursor = await dependencies.database.collection(cursorCollection).get(documentId(userId, pass.chat_id))
  const mayLearn = cursor && !cursor.excluded && !cursor.deleted && cursor.learn_after === pass.learn_after
  if (!mayLearn) return dropPass(dependencies, pass, { outcome: 'dropped' })
  const view = await memories.view(userId, { signal })
  const terms = []
  for await (const term of documentsOf(dependencies.database, termCollection, { index: 'by_user', equals: [userId], signal }))
    terms.push(term)
  const { ontology: loaded, prompts } = dependencies
  // Terms of memories come and go with them; only the deployment's and accepted ones are held against.
  const ontologyRevision = loaded.revision
  const ontology = userOntology(loaded, terms, view)
  const group = dependencies.group() ?? 'primary'
  const known = await store.checkpoints(pass, { signal })
  const keyParts = { passId: pass.pass_id, prompts, ontologyRevision, group }
  const windowInput: JsonValue = [pass.from, pass.to, pass.last_message_id, pass.learn_after]
  const results = new Map<Stage, JsonValue>()
  for (const stage of stages.slice(0, stages.indexOf(pass.stage))) {
    const found = known.find(({ place }) => place === stage)
    const key = stageKey(keyParts, stage, inputOf(stage, results, windowInput))
    // An extraction is kept whatever it was made with: what it found was held against the chat.
    if (!found || (stage !== 'extract' && found.key !== key))
      throw checkpointStaleError.create({ reason: `the result of ${stage} cannot be used any more` })
    results.set(stage, found.result)
  }
  const parts = createStageParts(dependencies, { pass, known, group, signal, keyOf: (from) => stageKey(keyParts, pass.stage, from) })
  let window: ChatWindow | undefined
  const context: StageContext = {
    ...{ pass, view, ontology, prompts, settings, signal, search: dependencies.search },
    limiter: createCallShare(dependencies.limiter, settings.pkm_consolidation_concurrency),
    redact: (text) => dependencies.redact(text),
    async window() {
      window ??= await readWindow(dependencies.chats, pass, { signal, redact: (text) => dependencies.redact(text) })
      // The chat is gone, or shows other messages: there is nothing to learn from these.
      return window ?? { messages: new Map(), sequences: [] }
    },
    ...parts,
  }
  const stored = Object.fromEntries(results) as unknown as StageResults
  if (pass.stage === 'commit') return commitPass(dependencies, { pass, results: stored, ontology, checkpoints: known, signal })
  const result = storable(await resultOf(pass.stage, context, stored, dependencies))
  if (pass.stage === 'extract' && isEmpty(result as unknown as ExtractResult))
    return dropPass(dependencies, pass, { outcome: 'nothing_to_do' })
  const key = stageKey(keyParts, pass.stage, inputOf(pass.stage, results, windowInput))
  const ended = known.filter(({ stage, place }) => stage === pass.stage && place !== pass.stage).map(({ id }) => id)
  return store.update(pass, {
    pass: { stage: nextStage(pass.stage), failures: 0, error: null, next_attempt_at: null },
    checkpoint: { place: pass.stage, stage: pass.stage, key, result },
    deleted: [...ended, ...parts.stored()],
  })
}

const isEmpty = ({ claims, playbooks }: ExtractResult): boolean => claims.length === 0 && playbooks.length === 0

async function resultOf(stage: Stage, context: StageContext, results: StageResults, { database }: PassDependencies): Promise<object> {
  if (stage === 'extract') return extract(context)
  const { extract: extracted, classify: classified, resolve: resolved } = results
  if (!extracted) throw stageMissing('extract')
  if (stage === 'classify') return classify(context, extracted)
  if (!classified) throw stageMissing('classify')
  if (stage === 'resolve') return resolve(context, extracted, classified)
  if (!resolved) throw stageMissing('resolve')
  if (stage === 'reconcile')
    return reconcile(context, extracted, classified, resolved, await findBuried(database, context.pass, extracted, classified, resolved))
  if (stage === 'author') return author(context, plannedResults(results))
  return adjudicate(context, extracted, classified)
}
