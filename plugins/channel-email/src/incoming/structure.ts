import type { MessageStructureObject } from 'imapflow'

/** A part of a mail that has its text, in the forms that the sender gave it, the best one first. */
export interface TextPart {
  readonly forms: readonly { readonly part: string; readonly kind: 'plain' | 'html' }[]
}

/** A part of a mail that is a file. */
export interface FilePart {
  readonly part: string
  readonly name?: string
  readonly mediaType: string
}

/** What a mail is made of. */
export interface MailParts {
  readonly texts: readonly TextPart[]
  readonly files: readonly FilePart[]
}

const maxTexts = 5
const maxFiles = 50
const maxDepth = 30

/** Only programs read these. */
const signatures: ReadonlySet<string> = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
])

/**
 * Finds texts and files in the structure that the server says. Of alternatives one is the text, as plain
 * text where the mail has it; mails within a mail are files.
 */
export function partsOf(structure: MessageStructureObject | undefined): MailParts {
  const texts: TextPart[] = []
  const files: FilePart[] = []
  const visit = (node: MessageStructureObject, depth: number): void => {
    const kind = kindOf(node)
    if (kind === undefined) {
      if (files.length < maxFiles && !signatures.has(node.type)) files.push(fileOf(node))
    } else if (kind !== 'multipart') {
      if (texts.length < maxTexts) texts.push({ forms: [{ part: node.part ?? '1', kind }] })
    } else if (depth < maxDepth) {
      if (node.type === 'multipart/alternative') visitAlternatives(node.childNodes ?? [], depth + 1)
      else for (const child of node.childNodes ?? []) visit(child, depth + 1)
    }
  }
  const visitAlternatives = (nodes: readonly MessageStructureObject[], depth: number): void => {
    const leaves = nodes.flatMap((node) => leavesOf(node, depth))
    const forms = (['plain', 'html'] as const).flatMap((kind) => {
      const leaf = leaves.find((each) => kindOf(each) === kind)
      return leaf === undefined ? [] : [{ part: leaf.part ?? '1', kind }]
    })
    if (forms.length > 0 && texts.length < maxTexts) texts.push({ forms })
    for (const leaf of leaves) if (kindOf(leaf) === undefined && !isOtherForm(leaf) && files.length < maxFiles) files.push(fileOf(leaf))
  }
  if (structure !== undefined) visit(structure, 0)
  return { texts, files }
}

/** The part with this number, if the mail has it. */
export const hasFile = (structure: MessageStructureObject | undefined, part: string): boolean =>
  structure !== undefined && leavesOf(structure, 0).some((leaf) => (leaf.part ?? '1') === part)

/** Calendars and the like that stand beside a text and say the same. */
const isOtherForm = ({ type, disposition }: MessageStructureObject): boolean => type.startsWith('text/') && disposition !== 'attachment'

function leavesOf(node: MessageStructureObject, depth: number): readonly MessageStructureObject[] {
  if (kindOf(node) !== 'multipart') return [node]
  return depth < maxDepth ? (node.childNodes ?? []).flatMap((child) => leavesOf(child, depth + 1)) : []
}

function kindOf({
  type,
  disposition,
  parameters,
  dispositionParameters,
}: MessageStructureObject): 'multipart' | 'plain' | 'html' | undefined {
  if (type.startsWith('multipart/')) return 'multipart'
  const isFile = disposition === 'attachment' || parameters?.['name'] !== undefined || dispositionParameters?.['filename'] !== undefined
  if (isFile) return undefined
  return type === 'text/plain' ? 'plain' : type === 'text/html' ? 'html' : undefined
}

function fileOf({ part = '1', type, parameters, dispositionParameters }: MessageStructureObject): FilePart {
  const given = dispositionParameters?.['filename'] ?? parameters?.['name'] ?? (type === 'message/rfc822' ? 'message.eml' : undefined)
  const name = given === undefined ? '' : fileNameOf(given)
  const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : 'application/octet-stream'
  return { part, mediaType, ...(name !== '' && { name }) }
}

/** One line, without the folders that some programs name. */
const fileNameOf = (text: string): string =>
  text
    .slice(-500)
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(-255)
    .replace(/\p{Cs}/gu, '')
