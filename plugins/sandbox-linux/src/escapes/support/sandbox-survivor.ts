/**
 * `sandbox-survivor.js <mode> <workspace> <mark>`: a service whose sandbox runs daemons, until it is
 * killed. The mark is in the command line of everything that it runs.
 */
import { createLinuxDriver } from '../../linux-driver.js'
import { helper, userOf } from './escape-bench.js'

const [, , mode, workspace = '', mark = ''] = process.argv
const { driver } = createLinuxDriver({
  helper,
  userOf: async (principal) => userOf(principal),
  examined: (machine) => (mode === 'bubblewrap' ? machine : { ...machine, bubblewrap: { missing: 'not for this test' } }),
})
const code = `
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM): signal.signal(number, signal.SIG_IGN)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: time.sleep(60)
        os._exit(0)
time.sleep(0.2)
print('ready', flush=True)
time.sleep(60)`
const events = driver.run(
  {
    ...{
      id: `survivor-${process.pid}`,
      principal: 'escaping',
      command: ['/usr/bin/python3', '-I', '-c', code, mark],
      directory: workspace,
    },
    environment: { PATH: '/usr/bin:/bin' },
    files: { read: [], write: [workspace], deny: [] },
    network: { access: 'off', destinations: [], forward: [], expose: [] },
    ...{ limits: {}, confined: true },
  },
  { signal: new AbortController().signal },
)
for await (const event of events) if (event.type === 'output') process.stdout.write(event.bytes)
