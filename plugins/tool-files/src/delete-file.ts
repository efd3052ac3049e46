import { Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import { deleteScopes } from './delete-scopes.js'
import { nothingAt } from './near-names.js'
import { pathOf, pathSchema } from './paths.js'
import { answer, refusal, shown } from './results.js'
import { toolWords } from './tool-words.js'
import { filesBelow } from './walk.js'
import type { WorkspaceCalls } from './workspace-calls.js'

/**
 * Deletes a file or a folder. Never repeated automatically: a new one of this name may exist by
 * then.
 */
export function createDeleteFileTool(calls: WorkspaceCalls): Tool {
  return {
    specVersion: 1,
    name: 'delete_file',
    title: 'Delete a file',
    display: toolWords.delete_file,
    description:
      'Permanently deletes a file of your workspace, or an empty folder; with recursive, a folder with everything in it. This cannot be undone.',
    parameters: Type.Object({
      path: pathSchema(),
      recursive: Type.Optional(Type.Boolean({ description: 'Delete a folder with everything in it. Default false.' })),
    }),
    effect: 'unsafe',
    timeoutMs: 60_000,
    supports: { probe: false },
    scopes: ({ path }) => deleteScopes(path),
    exactly: () => 'Exactly this call, whatever has this name by then',
    purpose: ({ path, recursive }) => `Delete ${shown(path)}${recursive === true ? ' with everything in it' : ''}`,
    execute: (input, context) =>
      calls.run(context, async ({ folder, locate, ask, signal }) => {
        const path = await locate(input['path'])
        const recursive = input['recursive'] === true
        await ask('write_file', path)
        const there = path === '' ? undefined : await folder.stat(path)
        if (!there)
          return refusal(path === '' ? 'The workspace itself cannot be deleted.' : await nothingAt(folder, path, 'file or folder'))
        // What a person reads, and allows for a folder, is the name that was given.
        const named = pathOf(input['path'])
        if (path.normalize('NFC') !== named.normalize('NFC'))
          return refusal(`Nothing was deleted: through a link, “${named}” is “${path}”. Give that path to delete it.`)
        if (there.kind === 'folder' && recursive) {
          const files = await filesBelow(folder, path, signal)
          if (!files) return refusal(`“${path}” contains too many files to delete in one call. Delete its folders one by one.`)
          await ask('write_file', ...files)
        }
        const removed = await folder.remove(path, { recursive })
        return removed ? answer(`Deleted ${path}.`) : refusal(`“${path}” had already been deleted.`)
      }),
  }
}
