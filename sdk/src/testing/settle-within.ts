import { strict as assert } from 'node:assert'

/** Fails when work has neither ended nor failed by then. */
export async function settleWithin(work: Promise<unknown>, limitMs: number, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: `${what} went on for ${limitMs} ms after its abort` })), limitMs)
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

/** Fails for members that a contract does not have, which nothing would ever read. */
export function assertMembers(value: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  assert.deepEqual(
    unknown,
    [],
    `${what} has members that the contract does not know; expected are ${known.join(', ')}, came ${unknown.join(', ')}`,
  )
}
