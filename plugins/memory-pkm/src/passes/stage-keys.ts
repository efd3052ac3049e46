import type { JsonValue } from '@agent-service/sdk'
import { digestOf } from '../common/digest-of.js'
import type { PromptName, StagePrompts } from '../model/prompts.js'
import { type Stage, stages } from '../store/pass-records.js'

const promptsOf: Readonly<Record<Stage, readonly PromptName[]>> = {
  extract: ['extract'],
  classify: ['classify'],
  resolve: ['resolve', 'resolve-playbooks'],
  reconcile: ['reconcile'],
  author: ['author', 'author-playbook'],
  adjudicate: ['adjudicate'],
  commit: [],
}

/** What results depend on beside their input. */
export interface KeyParts {
  readonly passId: string
  readonly prompts: StagePrompts
  readonly ontologyRevision: string
  readonly group: string
}

/** Tells results apart that were made from something else: they are of no use then. */
export function stageKey({ passId, prompts, ontologyRevision, group }: KeyParts, stage: Stage, input: unknown): string {
  const versions = promptsOf[stage].map((name) => prompts[name].version)
  return digestOf([passId, stage, input, versions, ontologyRevision, group])
}

/** The input of each stage: the result of the one before. */
export function inputOf(stage: Stage, results: ReadonlyMap<Stage, JsonValue>, window: JsonValue): unknown {
  const before = stages[stages.indexOf(stage) - 1]
  return before === undefined ? window : digestOf(results.get(before) ?? null)
}

export const nextStage = (stage: Stage): Stage => stages[stages.indexOf(stage) + 1] ?? 'commit'
