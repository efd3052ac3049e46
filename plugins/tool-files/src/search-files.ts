import { Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { Quotas } from '@agent-service/sdk/services/quotas'
import type { UserFileEntry } from '@agent-service/sdk/services/user-files'
import { createGlob } from './glob.js'
import { createLineSearches, type LineSearch, maxWaitMs } from './line-search.js'
import { nothingAt } from './near-names.js'
import { folderSchema, pathOf } from './paths.js'
import { answer, counted, refusal, shown } from './results.js'
import type { FoundLine, SearchQuery } from './search-protocol.js'
import { toolWords } from './tool-words.js'
import { skippedFolders, walk } from './walk.js'
import type { Workspace, WorkspaceCalls } from './workspace-calls.js'

const maxNames = 20_000
const maxFileBytes = 2 * 1024 * 1024
const maxBytes = 64 * 1024 * 1024
const maxLinesOfFile = 50
const defaultLines = 100
/** How many files one question to the policies covers. */
const filesAtOnce = 100
/** Searched only if they are named in the path. */

/** What a search found, and what it did not cover. */
interface Findings {
  readonly lines: string[]
  files: number
  bytes: number
  /** Why not everything was searched. */
  readonly gaps: Set<string>
}

/**
 * Finds lines in the files of the workspace. `limitMs`: the longest time of one search, without its
 * wait.
 */
export function createSearchFilesTool(
  calls: WorkspaceCalls,
  { quotas, limitMs = 20_000 }: { readonly quotas: Quotas; readonly limitMs?: number },
): Tool {
  const searches = createLineSearches(quotas)
  return {
    specVersion: 1,
    name: 'search_files',
    title: 'Search files',
    display: toolWords.search_files,
    description:
      'Finds lines that contain a text, or match a regular expression (RE2: no look-around, no back-references), in the text files of your workspace. Returns path:line: text. Folders called .git, .venv, .tmp and node_modules are skipped unless path names them.',
    parameters: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 1_000, description: 'What to find within one line.' }),
      regular_expression: Type.Optional(Type.Boolean({ description: 'The query is a regular expression. Default false.' })),
      ignore_case: Type.Optional(Type.Boolean({ description: 'Default false.' })),
      path: folderSchema(),
      pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only in matching files: “*.md”, “src/**/*.ts”.' })),
      max_results: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: `How many lines at most. Default ${defaultLines}.` }),
      ),
    }),
    effect: 'read',
    readsWorkspace: true,
    timeoutMs: maxWaitMs + limitMs + 10_000,
    supports: { probe: false },
    purpose: ({ query, path }) => `Search ${pathOf(path) === '' ? 'the workspace' : shown(pathOf(path))} for “${shown(query)}”`,
    execute: (input, context) =>
      calls.run(context, async (workspace) => {
        const path = await workspace.locate(input['path'], { followLast: true })
        const query: SearchQuery = {
          text: String(input['query']),
          isExpression: input['regular_expression'] === true,
          ignoreCase: input['ignore_case'] === true,
        }
        await workspace.ask('read_file', path)
        if (path !== '' && !(await workspace.folder.list(path, { limit: 1 })))
          return refusal(await nothingAt(workspace.folder, path, 'folder'))

        const limit = typeof input['max_results'] === 'number' ? input['max_results'] : defaultLines
        const findings: Findings = { lines: [], files: 0, bytes: 0, gaps: new Set() }
        const over = new AbortController()
        const signal = AbortSignal.any([workspace.signal, over.signal])
        const search = await searches.begin(query, { userId: context.userId, signal })
        const timer = setTimeout(() => over.abort(), limitMs)
        try {
          const fits = typeof input['pattern'] === 'string' ? createGlob(input['pattern']) : () => true
          await searchAll({ ...workspace, signal }, { path, fits, limit, search }, findings)
        } catch (error) {
          if (!over.signal.aborted || workspace.signal.aborted) throw error
          findings.gaps.add(
            `the search took more than ${limitMs / 1_000} seconds and was ended${query.isExpression ? '; make the expression simpler, or narrow it by path or pattern' : '; narrow it by path or pattern'}`,
          )
        } finally {
          clearTimeout(timer)
          await search.end()
        }
        return answer(headOf(query, findings), ...(findings.lines.length === 0 ? [] : [findings.lines.join('\n')]))
      }),
  }
}

async function searchAll(
  workspace: Workspace,
  options: { readonly path: string; readonly fits: (path: string) => boolean; readonly limit: number; readonly search: LineSearch },
  findings: Findings,
): Promise<void> {
  const { folder, signal } = workspace
  const { path, fits, limit } = options
  const entries = walk(folder, path, { names: maxNames, signal, enters: ({ name }) => !skippedFolders.has(name) })
  let batch: UserFileEntry[] = []
  for (;;) {
    const { done, value } = await entries.next()
    if (!done && value.kind === 'file' && fits(path === '' ? value.path : value.path.slice(path.length + 1))) batch.push(value)
    if (done || batch.length === filesAtOnce) {
      if (await searchBatch(workspace, batch, options, findings)) return
      batch = []
    }
    if (!done) continue
    if (value.cut) findings.gaps.add(`there are more than ${counted(maxNames, 'name')}; narrow it by path`)
    if (findings.lines.length >= limit) findings.gaps.add('there may be more lines; raise max_results or narrow the query')
    return
  }
}

/** Searches some files; returns true if the search is complete. */
async function searchBatch(
  { folder, readable }: Workspace,
  batch: readonly UserFileEntry[],
  { limit, search }: { readonly limit: number; readonly search: LineSearch },
  findings: Findings,
): Promise<boolean> {
  const allowed = await readable(batch.map(({ path }) => path))
  for (const [index, { path, size }] of batch.entries()) {
    if (allowed[index] !== true) {
      findings.gaps.add('you may not read some of the files')
      continue
    }
    if (size > maxFileBytes) {
      findings.gaps.add(`files of more than ${counted(maxFileBytes, 'byte')} were skipped`)
      continue
    }
    if (findings.bytes + size > maxBytes) {
      findings.gaps.add(`only the first ${counted(maxBytes, 'byte')} were searched; narrow it by path or pattern`)
      return true
    }
    const file = await folder.read(path, { length: maxFileBytes })
    if (!file) continue
    findings.bytes += file.bytes.byteLength
    const found = await search.search({ bytes: file.bytes, limit: Math.min(maxLinesOfFile, limit - findings.lines.length) })
    if (!found) continue
    findings.files += 1
    if (found.length === maxLinesOfFile) findings.gaps.add(`at most ${maxLinesOfFile} lines of one file are shown`)
    findings.lines.push(...found.map((line) => lineOf(path, line)))
    if (findings.lines.length < limit) continue
    findings.gaps.add('there may be more lines; raise max_results or narrow the query')
    return true
  }
  return false
}

const lineOf = (path: string, { line, text }: FoundLine): string => `${path}:${line}: ${text}`

function headOf({ text }: SearchQuery, { lines, files, gaps }: Findings): string {
  const found = lines.length === 0 ? 'No line' : counted(lines.length, 'line')
  const where = counted(files, 'text file')
  return [`${found} found for “${shown(text)}” in ${where} searched.`, ...[...gaps].map((gap) => `Not complete: ${gap}.`)].join(' ')
}
