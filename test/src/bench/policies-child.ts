/**
 * Measures decisions by policy in a process of its own. Its argument is the number of policies; its
 * answer one line of JSON.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { memoryOf, openPoliciesUnderTest, policyProcessesOf } from '@agent-service/kernel/testing'

const shipped = 2
const seconds = 1
const count = Number(process.argv[2])
const stored = Array.from(
  { length: count - shipped },
  (_, index) =>
    `forbid (principal == User::"u${index}", action == Action::"use_tool", resource) when { resource.name == "tool-${index}" };`,
)
const principal = { type: 'User', id: 'eve' }
const toolOf = (index: number) => ({ type: 'Tool', id: `tool-${index}`, attributes: { name: `tool-${index}` } })
const questionOf = (index: number) => ({ principal, action: 'use_tool', resource: toolOf(index) })

/** Of this process, and of the one that holds the engine. */
async function megabytes(): Promise<{ readonly service: number; readonly engine: number; readonly engineOwn: number }> {
  const [pid] = await policyProcessesOf(process.pid)
  const engine = pid === undefined ? { resident: 0, own: 0 } : await memoryOf(pid)
  return { service: process.memoryUsage().rss / 1e6, engine: engine.resident / 1e6, engineOwn: engine.own / 1e6 }
}

async function perSecond(work: () => Promise<unknown>, each = 1): Promise<number> {
  const began = performance.now()
  let done = 0
  while (performance.now() < began + seconds * 1_000) {
    await work()
    done += each
  }
  return done / ((performance.now() - began) / 1_000)
}

const { service, close, end } = await openPoliciesUnderTest({ stored })
let next = 0
global.gc?.()
await delay(200)
const memoryBefore = await megabytes()
const loop = monitorEventLoopDelay({ resolution: 1 })
await delay(50)
loop.enable()
const began = performance.now()
await service.isAuthorized(questionOf(next++))
const firstMs = performance.now() - began
await delay(500)
loop.disable()
const memoryLoaded = await megabytes()

const cold = await perSecond(() => service.isAuthorized(questionOf(next++)))
const remembered = await perSecond(() => service.isAuthorized(questionOf(0)))
const listed = await perSecond(
  () =>
    service.allowedOf(
      { principal, action: 'use_tool' },
      Array.from({ length: 50 }, () => toolOf(next++)),
    ),
  50,
)
const memoryAtWork = await megabytes()
await close()
await end()

const roles: readonly string[] = ['admin', 'user']
let index = 0
let allowed = 0
const plain = await perSecond(async () => {
  for (let turn = 0; turn < 1_000; turn++) if (roles[index++ % 2] === 'admin') allowed++
}, 1_000)

process.stdout.write(
  `${JSON.stringify({
    ...{ firstMs, cold, remembered, listed, plain, allowed },
    blockedMs: loop.max / 1e6,
    megabytesLoaded: memoryLoaded.service - memoryBefore.service,
    megabytesAtWork: memoryAtWork.service - memoryBefore.service,
    engineMegabytesLoaded: memoryLoaded.engine,
    engineMegabytesAtWork: memoryAtWork.engine,
    engineOwnMegabytesAtWork: memoryAtWork.engineOwn,
  })}\n`,
)
