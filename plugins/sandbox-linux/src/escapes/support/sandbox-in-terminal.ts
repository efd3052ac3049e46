/**
 * `sandbox-in-terminal.js <mode> <workspace> <code>`: a service that was started in a terminal. It
 * runs Python, by its sandbox or, with the mode `none`, without one, and says when it has ended.
 */
import { spawnSync } from 'node:child_process'
import { createLinuxDriver } from '../../linux-driver.js'
import { helper, userOf } from './escape-bench.js'

const [, , mode, workspace = '', code = ''] = process.argv
const command = ['/usr/bin/python3', '-I', '-c', code] as const
if (mode === 'none') spawnSync(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
else {
  const { driver, close } = createLinuxDriver({
    helper,
    userOf: async (principal) => userOf(principal),
    examined: (machine) => (mode === 'bubblewrap' ? machine : { ...machine, bubblewrap: { missing: 'not for this test' } }),
  })
  const request = {
    ...{ id: `terminal-${process.pid}`, principal: 'escaping', command, directory: workspace, environment: { PATH: '/usr/bin:/bin' } },
    files: { read: [], write: [workspace], deny: [] },
    network: { access: 'off', destinations: [], forward: [], expose: [] },
    ...{ limits: {}, confined: true },
  } as const
  for await (const event of driver.run(request, { signal: AbortSignal.timeout(10_000) }))
    if (event.type === 'exit') process.stdout.write(`exit ${event.code}\n`)
  await close()
}
process.stdout.write('ended\n')
