import { Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { UserFileEntry } from '@agent-service/sdk/services/user-files'
import { createGlob } from './glob.js'
import { nothingAt } from './near-names.js'
import { folderSchema, pathOf } from './paths.js'
import { answer, counted, refusal, shown } from './results.js'
import { toolWords } from './tool-words.js'
import { skippedFolders, walk } from './walk.js'
import type { WorkspaceCalls } from './workspace-calls.js'

const maxListed = 500
const maxNames = 20_000

/** Lists a folder. */
export function createListFilesTool(calls: WorkspaceCalls): Tool {
  return {
    specVersion: 1,
    name: 'list_files',
    title: 'List files',
    display: toolWords.list_files,
    description: `Lists a folder of your workspace, ${maxListed} names at most: folders end with /, files come with their size. With recursive also the contents of its folders; with pattern only matching names, at any depth: “*.md”, “src/**/*.ts”. The contents of folders called .git, .venv, .tmp and node_modules are left out unless path names them.`,
    parameters: Type.Object({
      path: folderSchema(),
      pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'With *, ? and **. Relative to path.' })),
      recursive: Type.Optional(Type.Boolean({ description: 'Default: true with a pattern, else false.' })),
    }),
    effect: 'read',
    readsWorkspace: true,
    timeoutMs: 30_000,
    supports: { probe: false },
    purpose: ({ path, pattern }) => {
      const where = pathOf(path) === '' ? 'the workspace' : shown(pathOf(path))
      return pattern === undefined ? `List ${where}` : `List ${shown(pattern)} in ${where}`
    },
    execute: (input, context) =>
      calls.run(context, async ({ folder, locate, ask, signal }) => {
        const path = await locate(input['path'], { followLast: true })
        await ask('read_file', path)
        if (path !== '' && !(await folder.list(path, { limit: 1 }))) return refusal(await nothingAt(folder, path, 'folder'))
        const fits = typeof input['pattern'] === 'string' ? createGlob(input['pattern']) : undefined
        const deep = typeof input['recursive'] === 'boolean' ? input['recursive'] : fits !== undefined
        const entries = walk(folder, path, { names: maxNames, signal, enters: ({ name }) => deep && !skippedFolders.has(name) })
        const lines: string[] = []
        for (;;) {
          const { done, value } = await entries.next()
          if (done)
            return answer(headOf(path, lines.length, value.unnameable, value.cut), ...(lines.length === 0 ? [] : [lines.join('\n')]))
          if (fits && !fits(path === '' ? value.path : value.path.slice(path.length + 1))) continue
          if (lines.length === maxListed) return answer(headOf(path, lines.length, 0, true), lines.join('\n'))
          lines.push(lineOf(value))
        }
      }),
  }
}

function headOf(path: string, count: number, unnameable: number, cut: boolean): string {
  const where = path === '' ? 'the workspace' : `“${path}”`
  const left = unnameable === 0 ? '' : ` ${counted(unnameable, 'name')} left out because no path can contain them.`
  const more = cut ? ' Cut here: there are more names. Narrow the list with a path or a pattern.' : ''
  return `${count === 0 ? 'Nothing' : counted(count, 'name')} in ${where}.${left}${more}`
}

function lineOf({ path, kind, size }: UserFileEntry): string {
  if (kind === 'folder') return `${path}/`
  if (kind === 'file') return `${path}  ${counted(size, 'byte')}`
  return `${path}  ${kind === 'link' ? '(symbolic link)' : '(not a regular file)'}`
}
