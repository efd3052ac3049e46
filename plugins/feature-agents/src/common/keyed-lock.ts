/**
 * Lets one piece of work go on at a time for each key, in this process. While one does, another is not begun: it is refused with what `refusal` makes.
 */
export function createKeyedLock(refusal: () => Error): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const underWay = new Set<string>()
  return async (key, work) => {
    if (underWay.has(key)) throw refusal()
    underWay.add(key)
    try {
      return await work()
    } finally {
      underWay.delete(key)
    }
  }
}
