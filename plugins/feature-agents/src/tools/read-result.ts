import { Type } from '@agent-service/sdk'
import type { Tool, ToolResult } from '@agent-service/sdk/contracts/tool'
import type { KeptResults } from '../context/kept-results.js'
import { readResultName } from '../runs/tools/tool-results.js'
import { toolWords } from './tool-words.js'

/** The most that one call reads, and how much it reads by default, in UTF-16 code units. */
const maxReadLength = 40_000
const defaultReadLength = 20_000
/** How many places a search shows. */
const maxMatches = 20

/** Reads results of this chat that were too long to be shown as a whole. */
export function createReadResultTool(results: KeptResults): Tool {
  return {
    specVersion: 1,
    name: readResultName,
    title: 'Read a long result',
    display: toolWords.read_result,
    description:
      'Reads the part that was left out of the result of an earlier call in this chat. The line “[cut: …]” in that result has its call_id. Give offset and length, in characters, to read a part; or search, to find the places of a text (not case-sensitive), from offset on.',
    parameters: Type.Object({
      call_id: Type.String({ minLength: 1, maxLength: 100, description: 'The call_id in the line “[cut: …]”.' }),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Where to begin. Default 0.' })),
      length: Type.Optional(
        Type.Integer({ minimum: 1, maximum: maxReadLength, description: `How much to read. Default ${defaultReadLength}.` }),
      ),
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The text to search for, literally.' })),
    }),
    effect: 'read',
    supports: { probe: false },
    purpose: ({ search, offset }) =>
      typeof search === 'string' ? `Look for “${search}” in a long result` : `Read a long result from character ${Number(offset ?? 0)} on`,
    async execute(input, { chatId, userId, signal }) {
      const place = { callId: String(input['call_id']), chatId, userId }
      const total = await results.lengthOf(place)
      if (total === undefined) {
        return failed(
          `This chat has no long result of the call “${place.callId}”. Take the call_id from the line “[cut: …]” of the result.`,
        )
      }
      const offset = Number(input['offset'] ?? 0)
      if (offset >= total) return failed(`The result has ${total} characters; offset ${offset} is after its end.`)
      const { search } = input
      if (typeof search === 'string')
        return found(await results.search(place, { text: search, from: offset, limit: maxMatches, signal }), search)
      const text = await results.read(place, { offset, length: Number(input['length'] ?? defaultReadLength), signal })
      const end = offset + text.length
      const rest = end < total ? `${total - end} more follow from offset ${end} on` : 'this is the end'
      return textResult(`${text}\n[characters ${offset} to ${end} of ${total}; ${rest}]`)
    },
  }
}

function found(matches: Awaited<ReturnType<KeptResults['search']>>, wanted: string): ToolResult {
  const last = matches.at(-1)
  if (!last) return textResult(`“${wanted}” was not found.`)
  const places = matches.map(({ offset, text }) => `offset ${offset}: …${text}…`)
  const more =
    matches.length < maxMatches ? 'These are all matches.' : `There may be more matches: search again with offset ${last.offset + 1}.`
  return textResult([...places, more].join('\n\n'))
}

const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })
const failed = (text: string): ToolResult => ({ isError: true, ...textResult(text) })
