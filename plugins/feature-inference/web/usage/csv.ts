import { csvText } from '@agent-service/sdk/web'
import { type Sum, tokensOf, type Usage } from './read-usage.js'

/** The numbers of the table of days as CSV, plain numbers with a point. */
export function csvOf({ days, series }: Usage, others: string): string {
  const head = ['day', ...series.map(({ name }) => name ?? others), 'total_usd']
  const rows = days.map(({ day, values, total }) => [day, ...values.map(plain), plain(total)])
  return csvText([head, ...rows])
}

/** The sums of a table, each under its name. */
export const sumsAsCsv = (head: string, rows: readonly { readonly name: string; readonly sum: Sum }[]): string =>
  csvText([
    [head, 'calls', 'failed_calls', 'input_tokens', 'output_tokens', 'tokens', 'cost_usd'],
    ...rows.map(({ name, sum }) => [
      name,
      ...[sum.calls, sum.failed_calls, sum.input_tokens, sum.output_tokens, tokensOf(sum), sum.cost_usd].map(plain),
    ]),
  ])

const plain = (value: number): string => String(Number(value.toFixed(6)))
