import { type MailServers, startMailServers } from './mail-servers.js'

let running: MailServers | undefined

// Around all tests of a process that imports this: starting them takes a second.
before(async () => {
  running = await startMailServers()
})
after(async () => {
  await running?.stop()
})

/** The servers of this process of tests. */
export function mailServers(): MailServers {
  if (running === undefined) throw new Error('The mail servers run only during tests.')
  return running
}
