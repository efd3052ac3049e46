import { Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { applyEdit, type EditOutcome } from './apply-edit.js'
import { lineAt, textOf } from './lines.js'
import { nothingAt } from './near-names.js'
import { pathSchema } from './paths.js'
import { answer, answerWith, counted, refusal, shown } from './results.js'
import { toolWords } from './tool-words.js'
import type { WorkspaceCalls } from './workspace-calls.js'

/** Larger files have to be written as a whole. */
const maxBytes = 2 * 1024 * 1024
const maxLinesShown = 10

/** Replaces an exact text in a file. Repeating it changes nothing. */
export function createEditFileTool(calls: WorkspaceCalls): Tool {
  return {
    specVersion: 1,
    name: 'edit_file',
    title: 'Edit a file',
    display: toolWords.edit_file,
    description:
      'Replaces old_text with new_text in a text file of your workspace. old_text must match the file exactly, including spaces and line endings, and occur once; include more of the surrounding text, or set all. An empty new_text deletes it. Read the file first.',
    parameters: Type.Object({
      path: pathSchema(),
      old_text: Type.String({ minLength: 1, maxLength: 200_000, description: 'The text in the file.' }),
      new_text: Type.String({ maxLength: 200_000, description: 'The text to replace it with.' }),
      all: Type.Optional(Type.Boolean({ description: 'Replace every occurrence. Default false.' })),
    }),
    effect: 'idempotent',
    readsWorkspace: true,
    timeoutMs: 60_000,
    supports: { probe: false },
    purpose: ({ path, all }) => `Edit ${shown(path)}${all === true ? ', in every place' : ''}`,
    execute: (input, context) =>
      calls.run(context, async ({ folder, locate, ask, signal }) => {
        const path = await locate(input['path'])
        await ask('read_file', path)
        await ask('write_file', path)
        const there = path === '' ? undefined : await folder.stat(path)
        if (there?.kind !== 'file') return refusal(await nothingAt(folder, path, 'file'))
        if (there.size > maxBytes)
          return refusal(
            `“${path}” has ${counted(there.size, 'byte')}; files of more than ${counted(maxBytes, 'byte')} cannot be edited in place.`,
          )
        const file = await folder.read(path, { length: maxBytes })
        const text = file && textOf(file.bytes)
        if (!file || text === undefined) return refusal(`“${path}” is not UTF-8 text, so it cannot be edited.`)

        const edit = { before: String(input['old_text']), after: String(input['new_text']), all: input['all'] === true }
        const outcome = applyEdit(text, edit)
        if (outcome.kind === 'done_already')
          return answer(
            edit.after === ''
              ? `Nothing was changed: old_text is not in ${path}, or no longer.`
              : `Nothing was changed: ${path} already has new_text, and old_text occurs nowhere else.`,
          )
        if (outcome.kind !== 'edited') return refusal(problemOf(path, text, edit.before, outcome))
        const { file: written } = await folder.write(path, new TextEncoder().encode(outcome.text), { signal, ifMatch: file.etag ?? '*' })
        const lines = linesOf(text, outcome.places)
        return answerWith(written.path, `Edited ${path} in ${counted(outcome.places.length, 'place')} (line ${lines}).`)
      }),
  }
}

const linesOf = (text: string, places: readonly number[]): string => {
  const lines = places.slice(0, maxLinesShown).map((place) => lineAt(text, place))
  return `${lines.join(', ')}${places.length > maxLinesShown ? ', …' : ''}`
}

function problemOf(path: string, text: string, before: string, outcome: Exclude<EditOutcome, { readonly kind: 'edited' }>): string {
  switch (outcome.kind) {
    case 'ambiguous':
      return `old_text occurs ${counted(outcome.places.length, 'time')} in “${path}” (line ${linesOf(text, outcome.places)}). Include more of the surrounding text, or set all.`
    case 'unrepeatable':
      return `In “${path}” this edit would create another occurrence of old_text. Include more of the surrounding text in old_text and new_text.`
    default:
      return `old_text is not in “${path}”.${hintOf(text, before)} Read the file again and give the text exactly as it is in the file.`
  }
}

/** Why it may not have been found. */
function hintOf(text: string, before: string): string {
  if (before.includes('\n') && !before.includes('\r') && text.includes(before.replaceAll('\n', '\r\n')))
    return ' The file ends its lines with CR LF (\\r\\n).'
  const [line = ''] = before.split('\n').filter((each) => each.trim() !== '')
  const at = line.trim().length < 3 ? -1 : text.indexOf(line.trim())
  if (at === -1) return ''
  return ` Its first line matches line ${lineAt(text, at)}, but the text around it differs, perhaps in spaces or line endings.`
}
