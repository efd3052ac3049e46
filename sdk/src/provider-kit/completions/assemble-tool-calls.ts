import type { JsonObject, JsonValue } from '../../core/json.js'
import { type ArgumentsJoiner, createArgumentsJoiner } from '../answers/join-arguments.js'
import { isObject, objectAt, parseJson, textAt } from '../common/json.js'

/** A call so far. */
export interface AssembledCall {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string
  /** The fragments joined. */
  readonly arguments: ArgumentsJoiner
}

interface OpenCall {
  readonly index: number | undefined
  id: string | undefined
  name: string
  readonly arguments: ArgumentsJoiner
}

/** The parts of a piece that tell its call. */
interface PieceHead {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly argumentsText: string
}

/** Finds the call that a streamed piece belongs to, and joins its fragments. */
export interface ToolCallAssembler {
  /** Takes one piece; returns its call (by order of appearance) and the arguments that it adds. */
  add(piece: JsonObject): { readonly position: number; readonly argumentsText: string }
  readonly calls: readonly AssembledCall[]
}

/**
 * Makes an empty assembler. Calls are keyed by `index`. Handles irregular streams: an index that is
 * missing or 0 for all, ids that are new in each piece, come late or are the same for all, a new
 * name under an index in use (a new call), a whole call in one piece, names and ids that are
 * repeated (never joined), arguments that are an object.
 */
export function createToolCallAssembler(): ToolCallAssembler {
  const calls: OpenCall[] = []
  return {
    calls,
    add(piece) {
      const fragment = objectAt(piece, 'function')
      const head: PieceHead = {
        index: typeof piece['index'] === 'number' ? piece['index'] : undefined,
        id: textAt(piece, 'id'),
        name: textAt(fragment, 'name'),
        argumentsText: argumentsTextOf(fragment?.['arguments']),
      }
      let call = findCall(calls, head)
      if (!call) {
        call = { index: head.index, id: undefined, name: '', arguments: createArgumentsJoiner() }
        calls.push(call)
      }
      call.id ??= head.id
      if (call.name === '') call.name = head.name ?? ''
      return { position: calls.indexOf(call), argumentsText: call.arguments.add(head.argumentsText) }
    },
  }
}

/** The call of a piece; nothing for a new one. */
function findCall(calls: readonly OpenCall[], head: PieceHead): OpenCall | undefined {
  const { index, id, name } = head
  const sameIndex = (call: OpenCall): boolean => index === undefined || call.index === undefined || call.index === index
  const byId = id === undefined ? undefined : calls.findLast((call) => call.id === id && sameIndex(call))
  if (byId) return isOther(byId, head) ? undefined : byId
  const known = index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index)
  if (!known) return undefined
  // An id that is new in each piece of one call comes without its name, or while its arguments are open.
  if (id !== undefined && known.id !== undefined) {
    const isOpen = known.name === name && known.arguments.text.trim() !== '' && !known.arguments.isComplete
    return name === undefined || isOpen ? known : undefined
  }
  return isOther(known, head) ? undefined : known
}

/** Whether a piece with a name begins another call than the one in its place. */
function isOther(call: OpenCall, { name, argumentsText }: PieceHead): boolean {
  if (name === undefined || call.name === '') return false
  if (call.name !== name) return call.arguments.isComplete || call.arguments.text === ''
  // The same name again: another call only if it brings other arguments, whole.
  const other = parseJson(argumentsText)
  if (!call.arguments.isComplete || !isObject(other) || Object.keys(other).length === 0) return false
  return JSON.stringify(other) !== JSON.stringify(parseJson(call.arguments.text))
}

/** `null` means none, as an empty text does. */
const argumentsTextOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : isObject(value) ? JSON.stringify(value) : ''
