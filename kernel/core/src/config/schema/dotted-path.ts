/** A place in the configuration: keys of objects and positions in lists, outermost first. */
export type ValuePath = readonly (string | number)[]

/**
 * `models.primary.fallbacks[0].provider`; a key with a dot, a quote or a bracket is in double
 * quotes. The whole is the empty text.
 */
export function formatPath(path: ValuePath): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += `${text === '' ? '' : '.'}${part === '' || /[."'[\]]/.test(part) ? JSON.stringify(part) : part}`
  }
  return text
}

/** Reads what {@link formatPath} writes. `undefined` for text that is not a path. */
export function parsePath(text: string): ValuePath | undefined {
  const path: (string | number)[] = []
  const part = /\.?"((?:[^"\\]|\\.)*)"|\[(\d+)\]|\.?([^."'[\]]+)/y
  while (part.lastIndex < text.length) {
    const start = part.lastIndex
    const match = part.exec(text)
    if (!match || (text[start] === '.') !== (start > 0 && match[2] === undefined)) return undefined
    const [, quoted, position, plain] = match
    if (quoted !== undefined) path.push(unquote(`"${quoted}"`))
    else path.push(position === undefined ? (plain ?? '') : Number(position))
  }
  return path
}

const unquote = (text: string): string => {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.slice(1, -1)
  }
}

/** True if a path is a prefix of another, or equal to it. */
export const begins = (path: ValuePath, other: ValuePath): boolean => path.every((part, index) => part === other[index])

export const pathKey = (path: ValuePath): string => JSON.stringify(path)
