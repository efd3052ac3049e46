import { Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { nothingAt } from './near-names.js'
import { pathSchema } from './paths.js'
import { answer, answerWith, refusal, shown } from './results.js'
import { toolWords } from './tool-words.js'
import { filesBelow } from './walk.js'
import type { WorkspaceCalls } from './workspace-calls.js'

/** Moves or renames. It never replaces anything, so repeating it does nothing. */
export function createMoveFileTool(calls: WorkspaceCalls): Tool {
  return {
    specVersion: 1,
    name: 'move_file',
    title: 'Move a file',
    display: toolWords.move_file,
    description:
      'Moves or renames a file or a folder of your workspace. Creates missing folders of the new path, which must be free. Give the whole new path, not only the folder.',
    parameters: Type.Object({
      from: pathSchema('The current path.'),
      to: pathSchema('The new path, including the last name.'),
    }),
    effect: 'idempotent',
    timeoutMs: 60_000,
    supports: { probe: false },
    purpose: ({ from, to }) => `Move ${shown(from)} to ${shown(to)}`,
    execute: (input, context) =>
      calls.run(context, async ({ folder, locate, ask, signal }) => {
        const [from, to] = [await locate(input['from']), await locate(input['to'])]
        await ask('read_file', from)
        await ask('write_file', from, to)
        const there = from === '' ? undefined : await folder.stat(from)
        if (!there) {
          if (from === '') return refusal('The workspace itself cannot be moved.')
          const nothing = await nothingAt(folder, from, 'file or folder')
          return (await folder.stat(to)) ? refusal(`${nothing} “${to}” exists, though: it may have been moved already.`) : refusal(nothing)
        }
        // A forbidden file must not become available under another name.
        const files = there.kind === 'folder' ? await filesBelow(folder, from, signal) : []
        if (!files) return refusal(`“${from}” contains too many files to move in one call. Move its folders one by one.`)
        for (const file of files) {
          await ask('read_file', file)
          await ask('write_file', file, `${to}${file.slice(from.length)}`)
        }
        const moved = await folder.move(from, to)
        const text = `Moved ${from} to ${to}.`
        return moved.kind === 'file' ? answerWith(moved.path, text) : answer(text)
      }),
  }
}
