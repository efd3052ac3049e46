import { strict as assert } from 'node:assert'

/**
 * Fails if work has neither a result nor an error within the limit. The outcome does not matter.
 */
export async function endsWithin(work: Promise<unknown>, limitMs: number, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: `${what} after ${limitMs} ms` })), limitMs)
  })
  const end = work.then(
    () => undefined,
    () => undefined,
  )
  try {
    await Promise.race([end, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Fails unless a value survives a round trip through JSON. */
export function assertPlainData(value: unknown, what: string): void {
  assert.deepEqual(value === undefined ? undefined : JSON.parse(JSON.stringify(value)), value, `${what} is not plain data`)
}

/** A non-empty text of one line. */
export const isOneLine = (text: unknown): boolean => typeof text === 'string' && text.trim() !== '' && !/[\n\r]/.test(text)

/** Whether a value is a whole number in a range. */
export const isWithin = (value: unknown, from: number, to: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to
