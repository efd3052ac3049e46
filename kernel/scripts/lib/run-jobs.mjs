/**
 * Runs jobs, functions that return a promise, `concurrency` at a time, started in order. Resolves
 * when all have ended; if one rejects, starts no further one, and rejects with its error after the
 * running ones have ended.
 */
export async function runJobs(jobs, concurrency) {
  const waiting = [...jobs]
  const work = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await job()
  }
  const settled = await Promise.allSettled(
    Array.from({ length: concurrency }, () =>
      work().catch((error) => {
        waiting.length = 0
        throw error
      }),
    ),
  )
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
