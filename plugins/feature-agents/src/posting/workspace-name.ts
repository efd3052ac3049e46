/** The folder of a workspace in which attached files lie. */
export const attachmentsFolder = 'attachments'

/** The longest name in UTF-16 code units, and the longest ending that stays when one is cut. */
const maxLength = 100
const maxEnding = 16

/**
 * The name that an attached file gets in a workspace: close to its own, and harmless wherever it is
 * written, in a prompt or in a command line. Letters, digits, single spaces and `._()+,=@-` of any
 * script; everything else is an underscore.
 */
export function workspaceName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N} ._()+,=@-]/gu, '_')
    .trim()
  if (!/[\p{L}\p{N}]/u.test(plain)) return 'file'
  const { stem, ending } = split(plain.replace(/^[.-]/, '_'))
  return `${cut(stem, maxLength - ending.length)}${ending}`
}

/** The name of another content than the one that has the name already. */
export function withMark(name: string, mark: string): string {
  const { stem, ending } = split(name)
  return `${stem}-${mark}${ending}`
}

function split(name: string): { readonly stem: string; readonly ending: string } {
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= maxEnding ? name.slice(dot) : ''
  return { stem: name.slice(0, name.length - ending.length), ending }
}

/** Without half a character at the end, and short enough in bytes for every file system. */
function cut(stem: string, length: number): string {
  let kept = ''
  for (const character of stem) {
    if (kept.length + character.length > length || Buffer.byteLength(kept + character) > 150) break
    kept += character
  }
  return kept.trimEnd()
}
