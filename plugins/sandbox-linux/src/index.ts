import { readFile } from 'node:fs/promises'
import { definePlugin } from '@agent-service/sdk'
import { doctorChecks } from '@agent-service/sdk/contracts/doctor-check'
import { sandboxDoctorCheck, sandboxDrivers } from '@agent-service/sdk/contracts/sandbox-driver'
import { databaseService } from '@agent-service/sdk/services/database'
import { findHelper } from './helper/find-helper.js'
import { createLinuxDriver } from './linux-driver.js'
import { rangeOf, type SandboxUsers } from './machine/sandbox-users.js'
import { createStoredUsers, numberCollection, userCollection } from './users/stored-users.js'

export default definePlugin({
  manifest: {
    id: 'sandbox-linux',
    apiVersion: 1,
    description: 'Confines the processes of agents on Linux: bubblewrap, Landlock and seccomp.',
    contributes: ['sandbox.driver', 'doctor.check'],
    permissions: [
      { kind: 'process', reason: 'Starts the programs of agents, confined, and the helper that confines them.' },
      { kind: 'files', reason: 'Gives workspaces to the users that the programs run as, and keeps their tokens in files.' },
      { kind: 'network', reason: 'Connects programs of agents to the destinations that the policies allow.' },
    ],
  },
  collections: [userCollection, numberCollection],
  setup(context) {
    // `agent-service doctor` examines the machine without a database.
    const users = usersOf(context.use(databaseService, { optional: true }))
    const { driver, close } = createLinuxDriver({ ...users, helper: findHelper })
    context.onDispose(close)
    context.contribute(sandboxDrivers, driver)
    context.contribute(doctorChecks, sandboxDoctorCheck(driver, { id: 'sandbox-linux' }))
  },
})

/** Own users if the service is root; which numbers there are is read with the first one. */
function usersOf(database: Parameters<typeof createStoredUsers>[0] | undefined): SandboxUsers {
  let made: Promise<SandboxUsers | undefined> | undefined
  const make = async (): Promise<SandboxUsers | undefined> => {
    const range = process.getuid?.() === 0 ? rangeOf(await readFile('/proc/self/uid_map', 'utf8')) : undefined
    return range && database && createStoredUsers(database, range)
  }
  const users = (): Promise<SandboxUsers | undefined> => (made ??= make())
  return {
    userOf: async (principal) => (await users())?.userOf(principal),
    ownerOf: async (uid) => (await users())?.ownerOf(uid),
    forget: async (principal) => (await users())?.forget(principal),
  }
}
