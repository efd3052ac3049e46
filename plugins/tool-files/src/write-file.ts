import { Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { userFileChangedError } from '@agent-service/sdk/services/user-files'
import { pathSchema } from './paths.js'
import { answerWith, counted, refusal, shown } from './results.js'
import { toolWords } from './tool-words.js'
import type { WorkspaceCalls } from './workspace-calls.js'

const maxContentLength = 2_000_000

/** Writes a whole text file. Repeating it leaves the same file. */
export function createWriteFileTool(calls: WorkspaceCalls): Tool {
  return {
    specVersion: 1,
    name: 'write_file',
    title: 'Write a file',
    display: toolWords.write_file,
    description:
      'Writes a whole text file in your workspace: creates it, with missing folders, or replaces it. To change a part of a file use edit_file.',
    parameters: Type.Object({
      path: pathSchema(),
      content: Type.String({ maxLength: maxContentLength, description: 'The whole text of the file.' }),
      must_be_new: Type.Optional(Type.Boolean({ description: 'Refuse if the file already exists. Default false.' })),
    }),
    effect: 'idempotent',
    timeoutMs: 60_000,
    supports: { probe: false },
    purpose: ({ path, content }) => `Write ${shown(path)} (${counted(String(content ?? '').length, 'character')})`,
    execute: (input, context) =>
      calls.run(context, async ({ folder, locate, ask, signal }) => {
        const path = await locate(input['path'])
        const bytes = new TextEncoder().encode(String(input['content']))
        const mustBeNew = input['must_be_new'] === true
        await ask('write_file', path)
        try {
          const { file, created } = await folder.write(path, bytes, { signal, ...(mustBeNew ? { ifNoneMatch: '*' } : {}) })
          return answerWith(file.path, `${created ? 'Made' : 'Replaced'} ${file.path}: ${counted(file.size, 'byte')}.`)
        } catch (error) {
          if (!userFileChangedError.isInstance(error)) throw error
          const there = await folder.stat(path)
          // An earlier attempt of this same call may have created it.
          const same = there?.size === bytes.byteLength && Buffer.from(bytes).equals((await folder.read(path))?.bytes ?? Buffer.alloc(0))
          if (same) return answerWith(path, `${path} already has this content: ${counted(bytes.byteLength, 'byte')}.`)
          return refusal(`The file “${path}” already exists. Choose another name, or leave must_be_new out to replace it.`)
        }
      }),
  }
}
