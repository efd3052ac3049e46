import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { startChild } from './child.js'
import { type Figure, median } from './figures.js'

const rounds = 5
const secondsOfRound = 1.5
const aim = 0.7

/**
 * `GET /api/agents` with an access token beside the same handler on an open route of the same
 * process, in turns.
 */
export async function benchAuthentication(): Promise<readonly Figure[]> {
  const child = await startChild('./authentication-child.js')
  try {
    const [url = '', token = ''] = child.url.split(' ')
    const figures: Figure[] = []
    for (const callers of [1, 64]) {
      const proven: number[] = []
      const open: number[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const openRate = await rate(`${url}/api/open-agents`, {}, callers)
        const provenRate = await rate(`${url}/api/agents`, { authorization: `Bearer ${token}` }, callers)
        // The first round warms both.
        if (round === 0) continue
        open.push(openRate)
        proven.push(provenRate)
      }
      const ratio = median(proven) / median(open)
      figures.push({
        what: `GET /api/agents a second, ${callers} ${callers === 1 ? 'caller' : 'callers'}`,
        ours: median(proven),
        unit: '/s',
        baseline: { name: 'the same handler on an open route', value: median(open) },
        aim: { text: `at least ${aim}`, met: ratio >= aim },
      })
    }
    return figures
  } finally {
    await child.stop()
  }
}

/** Answers a second, with every caller asking again when it has its answer. */
async function rate(url: string, headers: Readonly<Record<string, string>>, callers: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const began = performance.now()
  const until = began + secondsOfRound * 1_000
  let count = 0
  try {
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (performance.now() < until) {
          await ask(url, headers, agent)
          count += 1
        }
      }),
    )
    return count / ((performance.now() - began) / 1_000)
  } finally {
    agent.destroy()
  }
}

async function ask(url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<void> {
  const sent = request(url, { headers, agent }).end()
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { readonly statusCode?: number }]
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}.`)
}
