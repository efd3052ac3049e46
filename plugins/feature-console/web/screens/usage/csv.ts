import type { Usage } from './read-usage.js'

/** The numbers of the table as CSV (RFC 4180), plain numbers with a point. */
export function csvOf({ days, series }: Usage, others: string): string {
  const head = ['day', ...series.map(({ name }) => name ?? others), 'total_usd']
  const rows = days.map(({ day, values, total }) => [day, ...values.map(plain), plain(total)])
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

const plain = (value: number): string => String(Number(value.toFixed(6)))

/** Quoted where needed; a text that a spreadsheet would run as a formula gets a mark before it. */
function cell(text: string): string {
  const safe = /^[=+@\t\r]/.test(text) || /^-[^0-9.]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
