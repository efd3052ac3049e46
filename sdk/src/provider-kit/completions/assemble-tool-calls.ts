import type { JsonObject, JsonValue } from '../../core/json.js'
import { isObject, objectAt, parseJson, textAt } from '../common/json.js'

/** A call so far. */
export interface AssembledCall {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string
  /** The fragments joined. */
  readonly argumentsText: string
}

interface OpenCall {
  index: number | undefined
  id: string | undefined
  name: string
  argumentsText: string
}

/** Finds the call that a streamed piece belongs to, and joins its fragments. */
export interface ToolCallAssembler {
  /** Takes one piece; returns its call (by order of appearance) and the arguments that it adds. */
  add(piece: JsonObject): { readonly position: number; readonly argumentsText: string }
  readonly calls: readonly AssembledCall[]
}

/**
 * Makes an empty assembler. Calls are keyed by `index`. Handles irregular streams: an index that is
 * missing, a new id and name under an index in use (a new call), a whole call in one piece, names
 * and ids that are repeated (never joined), arguments that are an object.
 */
export function createToolCallAssembler(): ToolCallAssembler {
  const calls: OpenCall[] = []

  const find = (index: number | undefined, id: string | undefined, name: string | undefined): OpenCall | undefined => {
    const known = index === undefined ? withoutIndex(id, name) : calls.findLast((call) => call.index === index)
    const isOther = id !== undefined && name !== undefined && known?.id !== undefined && known.id !== id
    return isOther ? undefined : known
  }
  const withoutIndex = (id: string | undefined, name: string | undefined): OpenCall | undefined => {
    if (id !== undefined) return calls.find((call) => call.id === id) ?? (name === undefined ? calls.at(-1) : undefined)
    const last = calls.at(-1)
    const lastIsWhole = last !== undefined && name !== undefined && last.name !== '' && parseJson(last.argumentsText) !== undefined
    return lastIsWhole ? undefined : last
  }

  return {
    calls,
    add(piece) {
      const index = typeof piece['index'] === 'number' ? piece['index'] : undefined
      const id = textAt(piece, 'id')
      const fragment = objectAt(piece, 'function')
      const name = textAt(fragment, 'name')
      let call = find(index, id, name)
      if (!call) {
        call = { index, id: undefined, name: '', argumentsText: '' }
        calls.push(call)
      }
      call.id ??= id
      if (call.name === '') call.name = name ?? ''
      const argumentsText = argumentsTextOf(fragment?.['arguments'])
      call.argumentsText += argumentsText
      return { position: calls.indexOf(call), argumentsText }
    },
  }
}

const argumentsTextOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : isObject(value) ? JSON.stringify(value) : ''
