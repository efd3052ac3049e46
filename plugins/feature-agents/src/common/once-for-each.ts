/** Does a piece of work once for each key, for as long as the result of this is kept: whoever asks again gets what the first got, failures too. */
export function onceForEach<Result>(work: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const begun = new Map<string, Promise<Result>>()
  return (key) => {
    const known = begun.get(key)
    if (known) return known
    const result = work(key)
    begun.set(key, result)
    return result
  }
}
