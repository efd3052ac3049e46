import { parentPort } from 'node:worker_threads'
import type { Answer, Work } from '../protocol.js'
import { failureOf } from './problem.js'
import { runJob } from './run-job.js'

/** One job after the other, in a thread of its own: keys and XML take seconds. */
parentPort?.on('message', (work: Work) => {
  void answer(work).then((answered) => parentPort?.postMessage(answered))
})

async function answer(work: Work): Promise<Answer> {
  try {
    return await runJob(work)
  } catch (error) {
    return { failure: failureOf(error) }
  }
}
