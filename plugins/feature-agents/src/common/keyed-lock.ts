/**
 * Allows one piece of work at a time for each key, in this process. Work that comes meanwhile does
 * not begin: it throws the error that `refusal` creates.
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
