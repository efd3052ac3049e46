import { readFile } from 'node:fs/promises'

const page = new URL('../../../../kernel/docs/model-api-fields.md', import.meta.url)

/** The two protocols of the service. */
export type Protocol = 'chat' | 'responses'

/** What the page says about one field. */
export type Verdict =
  | { readonly kind: 'passed on' | 'no effect' | 'refused' }
  /** Values that are accepted; all others are refused. */
  | { readonly kind: 'only'; readonly values: readonly unknown[] }

/** One field of a protocol in the table. */
export interface FieldRow {
  readonly protocol: Protocol
  readonly field: string
  readonly verdict: Verdict
}

/** The cells of the table whose first heading is given. */
async function tableOf(heading: string): Promise<readonly (readonly string[])[]> {
  const lines = (await readFile(page, 'utf8')).split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  if (start < 0 || end < 0) throw new Error(`The page has no table with the heading “${heading}”.`)
  return lines.slice(start, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** Every field of the page. @throws for a row that says none of the things that a row can say. */
export async function readFieldTable(): Promise<readonly FieldRow[]> {
  const rows = (await tableOf('Chat completions')).slice(2)
  return rows.flatMap(([chat = '', responses = '', text = '']) => {
    const verdict = verdictOf(text)
    const cells = [
      { protocol: 'chat', cell: chat },
      { protocol: 'responses', cell: responses },
    ] as const
    return cells.flatMap(({ protocol, cell }) => (cell === '—' ? [] : [{ protocol, field: cell.replaceAll('`', ''), verdict }]))
  })
}

function verdictOf(text: string): Verdict {
  const kind = (['passed on', 'no effect', 'refused', 'only'] as const).find((each) => text.toLowerCase().startsWith(each))
  if (kind === undefined) throw new Error(`A row says neither “passed on”, “no effect”, “only” nor “refused”: ${text}`)
  if (kind !== 'only') return { kind }
  // The values come before the first colon, full stop or comma of the sentence.
  const values = [...(/^Only ((?:`[^`]+`(?: or )?)+)/.exec(text)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
    ([, value = '']) => JSON.parse(value) as unknown,
  )
  return { kind, values }
}

/** What a provider's protocol carries, by field: `yes`, `no` or `some models`. */
export async function readCarryTable(): Promise<readonly { readonly field: string; readonly cells: Readonly<Record<string, string>> }[]> {
  const [head = [], , ...rows] = await tableOf('Field')
  const protocols = head.slice(1).map((name) => name.replaceAll('`', ''))
  return rows.map(([field = '', ...cells]) => ({
    field: field.replaceAll('`', ''),
    cells: Object.fromEntries(protocols.map((name, index) => [name, cells[index] ?? ''])),
  }))
}
