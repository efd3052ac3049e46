import { type JsonObject, type Problem, validate } from '@agent-service/sdk'
import { type Tool, type ToolContext, toolNameWords } from '@agent-service/sdk/contracts/tool'
import { offeredToolName, type SourceTool, type ToolSource, type ToolSourceOwner } from '@agent-service/sdk/contracts/tool-source'
import { cutText, wellFormed } from '../../common/well-formed.js'

/** The longest description that a model is shown, in UTF-16 code units. */
const maxDescriptionLength = 4_000
/** The most bytes of a schema as JSON, and its greatest depth. */
const maxSchemaBytes = 32 * 1024
const maxSchemaDepth = 24

const foreign = new WeakSet<Tool>()

/** A tool of a source in the form of all other tools, or why it is invalid. */
export function foreignTool(
  source: ToolSource,
  owner: ToolSourceOwner,
  given: SourceTool,
): { readonly tool: Tool } | { readonly reason: string } {
  const reason = problemOf(given)
  if (reason !== undefined) return { reason }
  const { name, title, description, parameters, effect, parallel, timeoutMs, approval } = structuredClone(given)
  const tool: Tool = Object.freeze({
    specVersion: 1,
    name: offeredToolName(source.id, name),
    title: oneLine(title ?? toolNameWords(name)),
    description: wellFormed(cutText(description, maxDescriptionLength)),
    // A foreign schema: shown to models, never compiled here.
    parameters: parameters as unknown as Tool['parameters'],
    ...(effect !== undefined && { effect }),
    ...(parallel !== undefined && { parallel }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(approval !== undefined && { approval }),
    supports: { probe: source.probe !== undefined },
    execute: (input: JsonObject, context: ToolContext) => source.execute(name, input, context),
    ...(source.probe && {
      probe: async (callId: string, { signal }: { readonly signal: AbortSignal }) =>
        (await source.probe?.(name, callId, { owner, signal })) ?? 'unknown',
    }),
  })
  foreign.add(tool)
  return { tool }
}

/**
 * The problems of a call's arguments. The schema of a foreign tool may use any keyword, and a
 * pattern that occupies a processor for hours. Only required members are checked here; the tool
 * itself checks the rest.
 */
export function argumentProblems(tool: Tool, given: JsonObject): readonly Problem[] {
  if (!foreign.has(tool)) return validate(tool.parameters, given)
  const { required } = tool.parameters as unknown as { readonly required?: unknown }
  if (!Array.isArray(required)) return []
  return required
    .filter((name): name is string => typeof name === 'string' && !Object.hasOwn(given, name))
    .map((name) => ({ path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, message: 'is required' }))
}

const effects: ReadonlySet<unknown> = new Set([undefined, 'read', 'idempotent', 'checkable', 'unsafe'])
const approvals: ReadonlySet<unknown> = new Set([undefined, 'never', 'first_time', 'always'])

function problemOf({ name, title, description, parameters, effect, parallel, timeoutMs, approval }: SourceTool): string | undefined {
  if (typeof name !== 'string' || name === '' || name.length > 256) return 'its name must have 1 to 256 characters'
  if (title !== undefined && typeof title !== 'string') return 'its title must be a text'
  if (typeof description !== 'string') return 'it has no description'
  if (typeof parameters !== 'object' || parameters === null || parameters['type'] !== 'object')
    return 'its schema does not describe an object'
  if (depthOf(parameters, 0) > maxSchemaDepth) return `its schema is more than ${maxSchemaDepth} levels deep`
  if (Buffer.byteLength(JSON.stringify(parameters)) > maxSchemaBytes) return `its schema has more than ${maxSchemaBytes} bytes`
  if (!effects.has(effect)) return `its effect is “${String(effect)}”`
  if (!approvals.has(approval)) return `its approval is “${String(approval)}”`
  if (parallel !== undefined && typeof parallel !== 'boolean') return 'parallel must be true or false'
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= 86_400_000))
    return 'its time limit must be 1 to 86,400,000 milliseconds'
  return undefined
}

/** Looks no deeper than necessary, so that it also ends for a cycle. */
const depthOf = (value: unknown, above: number): number =>
  typeof value !== 'object' || value === null || above > maxSchemaDepth
    ? above
    : Object.values(value).reduce((deepest: number, inner) => Math.max(deepest, depthOf(inner, above + 1)), above + 1)

function oneLine(text: string): string {
  const line = wellFormed(cutText(text, 200)).replaceAll(/\s+/g, ' ').trim()
  return line === '' ? 'A tool' : line
}
