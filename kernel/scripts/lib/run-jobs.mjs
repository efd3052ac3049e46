/**
 * Runs jobs, functions that return a promise, `concurrency` at a time, each started in its order. Resolves when all have ended; when one
 * rejects, no further one is started, and the error comes after those that run have ended.
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
