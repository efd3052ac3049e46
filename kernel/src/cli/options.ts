import { Option } from 'commander'
import type { Environment } from '../config/index.js'

/** The options that commands share: how they reach the running service, and how they answer. Each call makes a new one. */
export const remoteOptions = (environment: Environment) => ({
  url: () =>
    new Option('--url <url>', 'address of the running service').default(environment['AGENT_SERVICE_URL'] ?? 'http://localhost:3001'),
  username: () => new Option('--username <name>', 'who to sign in as (the password is asked for, or AGENT_SERVICE_PASSWORD)'),
  json: () => new Option('--json', 'print JSON'),
})
