import type { ModelEvent, ModelRequest, ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import { says } from '../../agents/support/scripted-plugin.js'

/** A stage of consolidation, as the model of the plugin's own tests names it. */
export type Stage = 'extract' | 'classify' | 'resolve' | 'resolve-playbooks' | 'reconcile' | 'author' | 'author-playbook' | 'adjudicate'

/** The plugin's own model for tests, which takes notes by rules; it is in no package. */
interface ScriptedModel {
  infer(
    request: unknown,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<{
    readonly type: string
    readonly content?: readonly ({ readonly type: string; readonly text?: string } | ToolCallPart)[]
  }>
}

const support = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(`../../../../plugins/memory-pkm/dist/test-support/${file}`, import.meta.url).href)) as Module

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
const roles = /You are (?:a|an|the) (?:note taker|librarian|matchmaker|auditor|editor|ontology board)/

/** What the model says of a stage instead; undefined: as it would. It may throw. */
export type Intervention = (stage: Stage, request: ModelRequest) => void | Promise<void>

/**
 * A model that takes notes for `pkm` by the rules of the plugin's tests (“I live in Graz”, “I prefer
 * trains”, …); every other request goes to `otherwise`.
 */
export async function createLearningModel(otherwise: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>): Promise<{
  answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** Called before each answer of a stage. */
  intervene(intervention: Intervention): void
}> {
  const { createScriptedModel, stageOf, textOf } = await support<{
    createScriptedModel(lore: unknown): ScriptedModel
    stageOf(request: unknown): Stage
    textOf(request: unknown, role: 'system'): string
  }>('scripted-model.js')
  const { lore } = await support<{ readonly lore: unknown }>('lore.js')
  const model = createScriptedModel(lore)
  let intervention: Intervention = () => undefined
  return {
    intervene(next) {
      intervention = next
    },
    async *answer(request, signal) {
      if (!roles.test(textOf(request, 'system'))) {
        yield* otherwise(request, signal)
        return
      }
      await intervention(stageOf(request), request)
      for await (const { type, content = [] } of model.infer(request, { signal })) {
        if (type !== 'response.finished') continue
        const calls = content.filter((part): part is ToolCallPart => part.type === 'tool_call')
        if (calls.length > 0) yield* callsTools(calls)
        else yield* says(content.map((part) => ('text' in part ? (part.text ?? '') : '')).join(''))
      }
    },
  }
}

async function* callsTools(calls: readonly ToolCallPart[]): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  for (const [part, { call_id: id, name, arguments: input }] of calls.entries()) {
    yield { type: 'tool_call.started', part, provider_call_id: id, name }
    yield { type: 'tool_call.delta', part, arguments_text: JSON.stringify(input) }
  }
  yield { type: 'response.finished', content: [...calls], stop_reason: 'tool_calls', usage }
}
