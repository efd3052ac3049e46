import { strict as assert } from 'node:assert'

/** Fails if work has neither ended nor failed within the limit. */
export async function settleWithin(work: Promise<unknown>, limitMs: number, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: `${what} continued for ${limitMs} ms after its abort` })), limitMs)
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

/** Fails for members that a contract does not have: nothing would read them. */
export function assertMembers(value: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  assert.deepEqual(unknown, [], `${what} has unknown members: ${unknown.join(', ')}; the contract has ${known.join(', ')}`)
}
