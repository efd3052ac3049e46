import { pictureTypeOf, Type } from '@agent-service/sdk'
import type { Tool, ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import { type Documents, documentTypeUnknownError } from '@agent-service/sdk/services/documents'
import type { UserFileContent } from '@agent-service/sdk/services/user-files'
import { findLines, textOf } from './lines.js'
import { nothingAt } from './near-names.js'
import { pathSchema } from './paths.js'
import { aboutDocument, documentHeadBytes, isDocument, readDocument } from './read-document.js'
import { answer, counted, refusal, shown } from './results.js'
import { toolWords } from './tool-words.js'
import type { Workspace, WorkspaceCalls } from './workspace-calls.js'

const maxLines = 2_000
/** Leaves room for the text around it: results are cut at 100,000. */
const maxCharacters = 80_000
const maxImageBytes = 5 * 1024 * 1024

/** Reads a text, or a document as text, or shows an image. */
export function createReadFileTool(calls: WorkspaceCalls, { documents }: { readonly documents?: Documents | undefined } = {}): Tool {
  const kinds = documents
    ? 'a text file of your workspace, or the text of a document (PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML)'
    : 'a text file of your workspace'
  return {
    specVersion: 1,
    name: 'read_file',
    title: 'Read a file',
    display: toolWords.read_file,
    description: `Reads ${kinds}, ${maxLines} lines at most in one call, or shows you an image (PNG, JPEG, GIF, WebP). Reports which lines it returns and how many there are; continue with from_line. Give a range if you know what you need.`,
    parameters: Type.Object({
      path: pathSchema(),
      from_line: Type.Optional(Type.Integer({ minimum: 1, description: 'The first line, counted from 1. Default 1.' })),
      to_line: Type.Optional(Type.Integer({ minimum: 1, description: 'The last line. Default: as many as fit.' })),
    }),
    effect: 'read',
    readsWorkspace: true,
    timeoutMs: documents ? 100_000 : 30_000,
    supports: { probe: false },
    purpose: ({ path, from_line, to_line }) =>
      from_line === undefined && to_line === undefined
        ? `Read ${shown(path)}`
        : `Read ${shown(path)}, ${to_line === undefined ? `from line ${shown(from_line)}` : `lines ${shown(from_line ?? 1)} to ${shown(to_line)}`}`,
    execute: (input, context) =>
      calls.run(context, async (workspace) => {
        const { folder, locate, ask } = workspace
        const path = await locate(input['path'])
        await ask('read_file', path)
        const first = typeof input['from_line'] === 'number' ? input['from_line'] : 1
        const last = typeof input['to_line'] === 'number' ? input['to_line'] : Number.POSITIVE_INFINITY
        const lines: Lines = { first, last }
        const head = path === '' ? undefined : await folder.read(path, { length: documentHeadBytes })
        if (head && documents && isDocument(head.bytes, head.name)) return documentResult({ documents, workspace, context, path, lines })
        const file = head && (await folder.read(path))
        if (!file) return refusal(await nothingAt(folder, path, 'file'))
        const mediaType = pictureTypeOf(file.bytes)
        if (mediaType !== undefined) return imageResult(file, mediaType)
        const result = await textResult(file, lines)
        if (result) return result
        // Text in an older encoding is no UTF-8, but still text.
        if (documents) return documentResult({ documents, workspace, context, path, lines })
        return notText(path, file.size)
      }),
  }
}

/** The lines that were asked for. */
interface Lines {
  readonly first: number
  readonly last: number
}

async function documentResult(options: {
  readonly documents: Documents
  readonly workspace: Workspace
  readonly context: ToolContext
  readonly path: string
  readonly lines: Lines
}): Promise<ToolResult> {
  const { documents, workspace, context, path, lines } = options
  const { folder, signal } = workspace
  try {
    const document = await readDocument(documents, { folder, path, userId: context.userId, signal })
    if (!document) return refusal(await nothingAt(folder, path, 'file'))
    const about = aboutDocument(document)
    if (document.text === '') return answer(`${path} has no text that can be read (${about}) It may consist of pictures.`)
    const bytes = Buffer.from(document.text)
    return (await textResult({ path, bytes, size: bytes.length }, lines, `, as text (${about})`)) ?? notText(path, bytes.length)
  } catch (error) {
    if (!documentTypeUnknownError.isInstance(error)) throw error
    return refusal(`“${path}” is neither UTF-8 text nor a document that can be read. ${error.message}`)
  }
}

const notText = (path: string, size: number): ToolResult =>
  refusal(`“${path}” is not UTF-8 text (${counted(size, 'byte')}). It cannot be read with this tool.`)

function imageResult(file: UserFileContent, mediaType: string): ToolResult {
  if (file.size > maxImageBytes)
    return refusal(
      `“${file.path}” is an image of ${counted(file.size, 'byte')}; more than ${counted(maxImageBytes, 'byte')} cannot be shown.`,
    )
  const data = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength).toString('base64')
  return {
    content: [
      { type: 'text', text: `${file.path}: ${mediaType}, ${counted(file.size, 'byte')}` },
      { type: 'image', media_type: mediaType, data },
    ],
  }
}

/** Some lines of a text; undefined if it is no UTF-8 text. `about` follows the path. */
async function textResult(
  { path, bytes }: Pick<UserFileContent, 'path' | 'bytes' | 'size'>,
  { first, last }: Lines,
  about = '',
): Promise<ToolResult | undefined> {
  if (bytes.byteLength === 0) return answer(`${path} is empty.`)
  if (first > last) return refusal(`from_line ${first} is after to_line ${last}. Give them in order.`)
  const { start, end, total } = await findLines(bytes, first, Math.min(last, first + maxLines - 1))
  if (first > total) return refusal(`There is no line ${first}: “${path}” has ${counted(total, 'line')}.`)
  const text = textOf(bytes.subarray(start, end))
  if (text === undefined) return undefined

  const reached = Math.min(total, last, first + maxLines - 1)
  if (text.length <= maxCharacters) {
    const more = reached < total && reached < last ? ` Cut here: continue with from_line ${reached + 1}.` : ''
    return answer(`${path}${about}, lines ${first} to ${reached} of ${total}.${more}`, text)
  }
  // Whole lines, or a part of a single line that is too long.
  const lastBreak = text.lastIndexOf('\n', maxCharacters - 1)
  if (lastBreak === -1) {
    const cut = text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')
    const next = first < total ? ` Continue with from_line ${first + 1}.` : ''
    return answer(
      `${path}${about}, the beginning of line ${first} of ${total}. Cut here: the line is too long to be read as a whole.${next}`,
      cut,
    )
  }
  const kept = text.slice(0, lastBreak + 1)
  const lines = kept.split('\n').length - 1
  return answer(
    `${path}${about}, lines ${first} to ${first + lines - 1} of ${total}. Cut here: continue with from_line ${first + lines}.`,
    kept,
  )
}
