import type { Static, TObject } from 'typebox'
import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { JsonObject } from '../../core/json.js'
import { titleOf } from '../../core/title-of.js'
import type { Tool, ToolContext, ToolFile, ToolQuestion, ToolResult, ToolScope } from './tool.js'

/**
 * What `execute` of {@link defineTool} may return: a text, one JSON object as `{ json }`, perhaps with
 * {@link ToolResult.files}, or the whole result.
 */
export type ToolAnswer = string | { readonly json: JsonObject; readonly files?: readonly ToolFile[] } | ToolResult

/**
 * The input of a tool with these parameters. The annotation spares the compiler a comparison of all
 * schemas that there could be.
 */
export type ToolInput<in out Parameters extends TObject> = {
  [Name in keyof Static<Parameters>]: Static<Parameters>[Name]
}

/** How an author writes a tool: the input has the type of the parameters. */
export interface ToolDefinition<Parameters extends TObject>
  extends Omit<ContributionDefinition<Tool, 'title'>, 'supports' | 'parameters' | 'purpose' | 'scopes' | 'exactly' | 'asks' | 'execute'> {
  /** As {@link Tool.title}. Default: the name in words, `roll_dice` as `Roll dice`. */
  readonly title?: string
  /** As {@link Tool.parameters}; gives the input its type. */
  readonly parameters: Parameters
  /** As {@link Tool.purpose}. */
  purpose?(input: ToolInput<Parameters>): string
  /** As {@link Tool.scopes}. */
  scopes?(input: ToolInput<Parameters>): readonly ToolScope[]
  /** As {@link Tool.exactly}. */
  exactly?(input: ToolInput<Parameters>): string | false
  /** As {@link Tool.asks}. */
  asks?(input: ToolInput<Parameters>): ToolQuestion | undefined
  /** As {@link Tool.execute}. A text and `{ json }` become a result with that one content. */
  execute(input: ToolInput<Parameters>, context: ToolContext): ToolAnswer | Promise<ToolAnswer>
}

/**
 * Makes a tool. `specVersion` and `supports` follow from the definition, `title` from the name;
 * `effect` is `unsafe` unless the definition says otherwise.
 *
 * @example
 * defineTool({
 *   name: 'roll_dice',
 *   description: 'Rolls dice and answers with what they show.',
 *   parameters: Type.Object({ count: Type.Integer({ minimum: 1, maximum: 100 }) }),
 *   effect: 'read',
 *   execute: ({ count }) => ({
 *     json: { rolled: Array.from({ length: count }, () => Math.ceil(Math.random() * 6)) },
 *   }),
 * })
 */
export function defineTool<Parameters extends TObject>(definition: ToolDefinition<Parameters>): Tool {
  const { execute, ...rest } = definition
  return Object.freeze({
    title: titleOf(definition.name),
    // A method's input is checked against the parameters before it is called.
    ...(rest as unknown as Omit<Tool, 'specVersion' | 'title' | 'supports' | 'execute'>),
    specVersion: 1,
    supports: { probe: definition.probe !== undefined },
    execute: async (input: JsonObject, context: ToolContext) => resultOf(await execute(input as ToolInput<Parameters>, context)),
  })
}

function resultOf(answer: ToolAnswer): ToolResult {
  if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] }
  if ('content' in answer) return answer
  const { json, files } = answer
  return { content: [{ type: 'json', json }], ...(files && { files }) }
}
