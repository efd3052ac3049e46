/** The settings in front of a diagram. */
const frontMatter = /^\s*---\n[\s\S]*?\n---\s/

/** The first word of a diagram that is not in its settings or a comment: what it is, such as `sequenceDiagram`. */
export function diagramKind(source: string): string {
  const lines = source.slice(frontMatter.exec(source)?.[0].length ?? 0).split('\n')
  const first = lines.map((line) => line.replace(/^\s*%%\{.*?\}%%/, '').trim()).find((line) => line !== '' && !line.startsWith('%%'))
  return /^[A-Za-z][\w-]{0,40}/.exec(first ?? '')?.[0] ?? ''
}
