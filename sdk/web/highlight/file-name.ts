/** Letters, digits and a few marks of any script; no folders, nothing hidden. */
const goodName = /^[\p{L}\p{N}_-][\p{L}\p{N}\p{M} ._+()@-]{0,120}$/u

/**
 * The name that code is saved under: that in the information of its fence, or one with the extension
 * of its language. Folders are left out.
 */
export function codeFileName(info: string | undefined, extension: string): string {
  const said = namedIn(info)?.split(/[/\\]/).at(-1)?.trim()
  if (said !== undefined && goodName.test(said) && !said.endsWith('.')) return said
  return extension === 'dockerfile' ? 'Dockerfile' : `code.${extension}`
}

/** What the information of a fence names as its file: `title="a.py"`, `file=a.py`, `ts:a.ts`, `a.py`. */
export function namedIn(info: string | undefined): string | undefined {
  if (info === undefined) return undefined
  const [, double, single, bare] = /\b(?:title|file|filename|name|path)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+))/i.exec(info) ?? []
  const said = double ?? single ?? bare
  if (said !== undefined) return said
  const [, afterColon] = /^[\w+#.-]+:(\S+\.\w+)$/.exec(info.trim()) ?? []
  if (afterColon !== undefined) return afterColon
  return info.split(/\s+/).find((word) => /^[\w@./-]*\w\.[A-Za-z]\w{0,9}$/.test(word))
}
