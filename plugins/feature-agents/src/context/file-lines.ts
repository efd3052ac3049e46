import { visibleLine } from '@agent-service/sdk'
import type { FilePart, ImagePart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import { cutText } from '../common/well-formed.js'
import type { Attachment, Message } from '../store/chats/message.js'

/** The longest name and path in a line, in UTF-16 code units. */
const maxNameLength = 100
const maxPathLength = 300

/**
 * What a model is shown of a person's message, in its order: behind the attached files that have
 * content stands a line for each that lies in the workspace of this model's agent, or has none here.
 * It depends on the message and the workspace alone.
 */
export function personContent({ content, attachments = [] }: Message, workspace: string): readonly (TextPart | ImagePart | FilePart)[] {
  const shown: (TextPart | ImagePart | FilePart)[] = []
  const lines: string[] = []
  for (const [index, part] of content.entries()) {
    if (index === attachments.length) shown.push(...partOf(lines))
    if (part.type === 'text') shown.push(part)
    if (part.type !== 'image' && part.type !== 'file') continue
    if (part.data !== undefined || part.url !== undefined) shown.push(part)
    const line = lineOf(part, attachments[index], workspace)
    if (line === undefined) continue
    if (index < attachments.length) lines.push(line)
    else shown.push(...partOf([line]))
  }
  return content.length > attachments.length ? shown : [...shown, ...partOf(lines)]
}

const partOf = (lines: readonly string[]): readonly TextPart[] => (lines.length === 0 ? [] : [{ type: 'text', text: lines.join('\n') }])

function lineOf(part: ImagePart | FilePart, attachment: Attachment | undefined, workspace: string): string | undefined {
  const named = quoted(attachment?.name ?? (part.type === 'file' ? part.name : 'a picture'), maxNameLength)
  const root = `workspaces/${workspace}/`
  const place = attachment?.workspace_paths?.find((path) => path.startsWith(root))
  if (place !== undefined) {
    const size = attachment === undefined ? '' : ` (${sizeText(attachment.size)})`
    return `[The file ${named} lies in your workspace as ${quoted(place.slice(root.length), maxPathLength)}${size}.]`
  }
  if (part.data !== undefined || part.url !== undefined) return undefined
  return attachment === undefined
    ? `[The file ${named} was attached to this message before it came into this chat; it is not here.]`
    : `[The file ${named} was attached for another agent and does not lie in your workspace. If you need it, ask the person to attach it again.]`
}

/** Where a file lies, behind its name in a text about the message; empty if it lies in no workspace. */
export function placesOf(attachment: Attachment | undefined): string {
  const { name, workspace_paths: places = [] } = attachment ?? {}
  if (name === undefined || places.length === 0) return ''
  const listed = places.map((place) => {
    const [, workspace = '', path = ''] = /^workspaces\/([^/]+)\/(.+)$/s.exec(place) ?? []
    return `${quoted(path, maxPathLength)} in the workspace ${quoted(workspace, maxNameLength)}`
  })
  return ` (${quoted(name, maxNameLength)} lies as ${listed.join(' and ')})`
}

/**
 * A name that a stranger may have chosen, as one bounded piece of one line: what it contains cannot end
 * the quotation or the line.
 */
const quoted = (text: string, maxLength: number): string => `“${cutText(visibleLine(text), maxLength).replace(/[“”„"«»<>`[\]]/g, '_')}”`

function sizeText(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  const units = ['kB', 'MB', 'GB', 'TB']
  let size = bytes / 1_000
  let unit = 0
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1_000
    unit += 1
  }
  return `${size.toFixed(1)} ${units[unit] ?? ''}`
}

/** What a message says of a file that could not be given to the agent: `reason` follows the name. */
export const fileNote = (name: string, reason: string): string =>
  `[The file ${quoted(name, maxNameLength)} was sent, too, but it ${visibleLine(reason)}.]`
