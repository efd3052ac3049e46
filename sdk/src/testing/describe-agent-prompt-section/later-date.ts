/** A day, an hour and a minute: whatever a text says of the time is another then. */
const laterMs = (25 * 60 + 1) * 60_000

/** Does work while `Date` is later. For a test that nothing else runs beside. */
export async function withLaterDate<Result>(work: () => Promise<Result>): Promise<Result> {
  const { Date: date } = globalThis
  const now = (): number => date.now() + laterMs
  // Shares the prototype, so that what either makes is a `Date` of both.
  function LaterDate(...given: readonly number[]): Date | string {
    if (new.target === undefined) return new date(now()).toString()
    return given.length === 0 ? new date(now()) : new date(...(given as [number]))
  }
  Object.setPrototypeOf(LaterDate, date)
  Object.assign(LaterDate, { prototype: date.prototype, now })
  globalThis.Date = LaterDate as unknown as DateConstructor
  try {
    return await work()
  } finally {
    globalThis.Date = date
  }
}
