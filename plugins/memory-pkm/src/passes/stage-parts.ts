import type { JsonValue } from '@agent-service/sdk'
import { digestOf } from '../common/digest-of.js'
import { documentId } from '../common/ids.js'
import type { AnswerLog, StageModel } from '../model/ask-model.js'
import type { StageContext } from '../stages/stage-context.js'
import type { Checkpoint, ConsolidationPass } from '../store/pass-records.js'
import type { PassStore } from './pass-store.js'

/**
 * The parts of a stage: what was stored of them is not made again. Beside the results of parts every
 * answer of a model is stored, under a digest of the question, so that a killed process repeats at
 * most the call that was under way.
 */
export function createStageParts(
  { store, model }: { readonly store: PassStore; readonly model: StageModel },
  options: {
    readonly pass: ConsolidationPass
    readonly known: readonly Checkpoint[]
    readonly group: string
    readonly signal: AbortSignal
    keyOf(from: unknown): string
  },
): Pick<StageContext, 'part' | 'ask'> & { stored(): readonly string[] } {
  const { pass, known, group, signal, keyOf } = options
  const stored = new Set<string>()
  const stage = pass.stage
  const find = (place: string, key: string): JsonValue | undefined =>
    known.find((each) => each.place === place && each.stage === stage && each.key === key)?.result
  const put = async (place: string, key: string, result: JsonValue): Promise<void> => {
    signal.throwIfAborted()
    if (await store.putPart(pass, { place, stage, key, result })) stored.add(documentId(pass.user_id, `${pass.pass_id}/${place}`))
  }
  const logOf = (name: string): AnswerLog => ({
    read: (index, question) => find(`${name}.answer.${index}`, digestOf(question)),
    write: (index, question, answer) => put(`${name}.answer.${index}`, digestOf(question), answer),
  })
  return {
    stored: () => [...stored],
    async part(name, from, work) {
      const key = keyOf(from)
      const found = find(`${name}.part`, key)
      if (found !== undefined) return found as Awaited<ReturnType<typeof work>>
      const result = await work()
      await put(`${name}.part`, key, result)
      return result
    },
    ask: (name, task) => model.submit(task, { userId: pass.user_id, group, signal, log: logOf(name) }),
  }
}
